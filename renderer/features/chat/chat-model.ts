import { z } from 'zod';
import type { Client } from '../../../shared/contract/contract';
import type { ErrorShape } from '../../../shared/error';
import { SessionId } from '../../../shared/model/ids';
import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import { persist } from '../../lib/persist';
import { createStore, type ReadableStore, type Store } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import type { Attachment } from './attachment';
import { addEntry } from './input-history';
import { type ChatTabs, closeTab, pruneTabs, showTab } from './tabs';

type ChatClient = Pick<Client, 'session' | 'state'>;

/** Drafts are kept for this many sessions. */
const KEPT_DRAFTS = 30;
/** The draft of a session that does not exist yet. */
const NEW = 'new';

const TabsSchema = z.object({ open: z.array(z.string()), active: z.string().nullable() });
const DraftsSchema = z.record(z.string(), z.string());
const HistorySchema = z.array(z.string());

/** Pictures in the box of a session, and why some could not be put there. */
export interface ImageBox {
  readonly list: readonly Attachment[];
  readonly problems: readonly string[];
}

export const NO_IMAGES: ImageBox = { list: [], problems: [] };

interface NextChoice {
  mode: Mode;
  model: string | null;
  agent: string | null;
}

/** What the chat of one project remembers. */
export interface ChatModel {
  readonly tabs: Store<ChatTabs>;
  readonly summaries: Store<ReadonlyMap<string, SessionSummary>>;
  readonly drafts: ReadableStore<Readonly<Record<string, string>>>;
  /** Pictures that go with the next message of a session. */
  readonly images: ReadableStore<Readonly<Record<string, ImageBox>>>;
  readonly history: Store<readonly string[]>;
  /** Mode, agent and model for a session that is created by its first message; null follows the default. */
  readonly next: Store<NextChoice>;
  /** Why the last message of a session was not sent, until that is dismissed; `new` for a session that is not there yet. */
  readonly failures: Store<Readonly<Record<string, ErrorShape>>>;
  draft(sessionId: string | null): string;
  setDraft(sessionId: string | null, text: string): void;
  imagesOf(sessionId: string | null): ImageBox;
  setImages(sessionId: string | null, box: ImageBox): void;
  setFailure(sessionId: string | null, failure: ErrorShape | null): void;
  remember(text: string): void;
  create(): Promise<SessionSummary>;
  close(id: string): void;
  /** Keeps everything in step with the host until the returned function is called. */
  connect(): () => void;
}

export function createChatModel(client: ChatClient): ChatModel {
  const tabs = createStore<ChatTabs>({ open: [], active: null });
  const summaries = createStore<ReadonlyMap<string, SessionSummary>>(new Map());
  const drafts = createStore<Readonly<Record<string, string>>>({});
  const images = createStore<Readonly<Record<string, ImageBox>>>({});
  const history = createStore<readonly string[]>([]);
  const failures = createStore<Readonly<Record<string, ErrorShape>>>({});
  const next = createStore<NextChoice>({ mode: 'agent', model: null, agent: null });

  const show = (state: ChatTabs): void => {
    tabs.set(state);
    windowStore.activeSession.set(state.active);
  };
  const note = (summary: SessionSummary): void =>
    summaries.update((known) => new Map(known).set(summary.id, summary));
  const forget = (id: string): void => {
    summaries.update((known) => new Map([...known].filter(([key]) => key !== id)));
    show(closeTab(tabs.get(), id));
  };
  const load = async (): Promise<void> => {
    const [stored, list] = await Promise.all([
      client.state.get({ scope: 'project', key: 'chat.tabs' }),
      client.session.list({}),
    ]);
    summaries.update((known) => new Map([...list.map((item) => [item.id, item] as const), ...known]));
    const remembered = TabsSchema.safeParse(stored.value).data ?? tabs.get();
    const wanted = windowStore.activeSession.get();
    // The newest of the user's own sessions is what a window without tabs shows, not a subagent's.
    const own = list.filter((item) => item.parentId === null);
    const pruned = pruneTabs(
      remembered,
      [...own, ...list].map((item) => item.id),
    );
    show(wanted !== null && summaries.get().has(wanted) ? showTab(pruned, wanted) : pruned);
  };
  return {
    tabs,
    summaries,
    drafts,
    history,
    failures,
    next,
    draft: (sessionId) => drafts.get()[sessionId ?? NEW] ?? '',
    setDraft: (sessionId, text) => drafts.update((all) => withDraft(all, sessionId ?? NEW, text)),
    ...imageBoxes(images),
    setFailure: (sessionId, failure) => failures.update((all) => withFailure(all, sessionId ?? NEW, failure)),
    remember: (text) => history.update((entries) => addEntry(entries, text)),
    create: async () => {
      const summary = await client.session.create(next.get());
      note(summary);
      show(showTab(tabs.get(), summary.id));
      return summary;
    },
    close: (id) => show(closeTab(tabs.get(), id)),
    connect: () => {
      const options = { client, scope: 'project', onError: toastError } as const;
      const stops = [
        persist(drafts, { ...options, key: 'chat.drafts', schema: DraftsSchema }),
        persist(history, { ...options, key: 'chat.history', schema: HistorySchema }),
        client.session.changed.subscribe(null, (change) =>
          change.kind === 'updated' ? note(change.summary) : forget(change.id),
        ),
        windowStore.activeSession.subscribe(() => {
          const id = windowStore.activeSession.get();
          if (id !== null) tabs.update((state) => showTab(state, id));
        }),
      ];
      let stopTabs: (() => void) | null = null;
      let stopped = false;
      load()
        .catch(toastError)
        .finally(() => {
          if (!stopped) stopTabs = persist(tabs, { ...options, key: 'chat.tabs', schema: TabsSchema });
        });
      return () => {
        stopped = true;
        stopTabs?.();
        for (const stop of stops) stop();
      };
    },
  };
}

const imageBoxes = (
  images: Store<Readonly<Record<string, ImageBox>>>,
): Pick<ChatModel, 'images' | 'imagesOf' | 'setImages'> => ({
  images,
  imagesOf: (sessionId) => images.get()[sessionId ?? NEW] ?? NO_IMAGES,
  setImages: (sessionId, box) => images.update((all) => ({ ...all, [sessionId ?? NEW]: box })),
});

function withDraft(
  all: Readonly<Record<string, string>>,
  key: string,
  text: string,
): Readonly<Record<string, string>> {
  if ((all[key] ?? '') === text) return all;
  const rest = Object.entries(all).filter(([other]) => other !== key);
  const kept = text === '' ? rest : [...rest, [key, text] as const];
  return Object.fromEntries(kept.slice(-KEPT_DRAFTS));
}

function withFailure(
  all: Readonly<Record<string, ErrorShape>>,
  key: string,
  failure: ErrorShape | null,
): Readonly<Record<string, ErrorShape>> {
  if (failure) return { ...all, [key]: failure };
  return key in all ? Object.fromEntries(Object.entries(all).filter(([other]) => other !== key)) : all;
}

export const asSessionId = (id: string): SessionId => SessionId.parse(id);
