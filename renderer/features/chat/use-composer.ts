import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { type ErrorShape, toErrorShape } from '../../../shared/error';
import type { Mode } from '../../../shared/model/mode';
import { useClient } from '../../lib/client-context';
import { useSetting } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { agentNamed } from './agent-store';
import { useChat } from './chat-context';
import { asSessionId, NO_IMAGES } from './chat-model';
import type { Attachment } from './attachment';
import { askAside } from './ask-aside';
import { type Attachments, useAttachments } from './use-attachments';
import { compactSession } from './compact-session';
import type { Delivery } from './delivery';
import {
  emptyHistory,
  historyText,
  leaveHistory,
  newerEntry,
  olderEntry,
  type HistoryState,
} from './input-history';
import { takeBack } from '../../lib/changes/take-back';
import { modelPickerStore } from './model-picker-store';
import { sendMessage } from './send-message';
import { sessionMenuStore } from './session-menu-store';
import { parseSlash, SLASH_COMMANDS, type SlashAction } from './slash-commands';

export interface Composer {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly caret: number;
  readonly history: HistoryState;
  readonly attachments: Attachments;
  readonly sending: boolean;
  readonly failure: ErrorShape | null;
  readonly mode: Mode;
  /** Name of the agent; null: the mode's own. */
  readonly agent: string | null;
  readonly model: string | null;
  setText(text: string, caret?: number): void;
  setCaret(caret: number): void;
  older(): boolean;
  newer(): boolean;
  /** Leaves the history with the draft back in the box; false when not in it. */
  leave(): boolean;
  /** Without a way, the one that the settings name. */
  send(how?: Delivery): void;
  stop(): void;
  runCommand(name: string): void;
  setMode(mode: Mode): void;
  setAgent(name: string): void;
  setModel(model: string | null): void;
  dismissFailure(): void;
}

/** The message box of one session (null: of the session that its first message creates). */
export function useComposer(sessionId: string | null, running: boolean): Composer {
  const { model: chat } = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setOwnText] = useState(() => chat.draft(sessionId));
  const [caret, setCaret] = useState(0);
  const settings = useSessionSettings(sessionId);
  const setText = useCallback(
    (next: string, at: number = next.length): void => {
      setOwnText(next);
      setCaret(at);
      chat.setDraft(sessionId, next);
      placeCaret(box.current, next, at);
    },
    [chat, sessionId],
  );
  useLateDraft(sessionId, text, setText);
  useAskedDraft(text, setText, box);
  const walk = useHistoryWalk(text, (shown) => {
    setOwnText(shown);
    placeCaret(box.current, shown, shown.length);
  });
  const attachments = useAttachments(sessionId);
  const delivery = useDelivery(sessionId, running, setText, walk.reset);
  const { stop, act, compact, aside } = useTurnActions(sessionId, settings.setMode, setText);
  const usual = useSetting('chat.requestQueuing.defaultAction');
  const send = (how: Delivery = usual): void => {
    const message = text.trim();
    if ((message === '' && attachments.list.length === 0) || delivery.sending) return;
    const slash = parseSlash(message, running);
    if (!slash) return void delivery.send(message, how);
    setText('');
    const named = slash.command.name === 'agent' ? agentAndRest(slash.rest) : null;
    if (slash.command.action.kind === 'compact') return compact(slash.rest);
    if (slash.command.action.kind === 'aside' && slash.rest !== '') return aside(slash.rest);
    if (named) settings.setAgent(named.agent);
    else act(slash.command.action);
    const rest = named ? named.rest : slash.rest;
    if (rest !== '') void delivery.send(rest, how);
  };
  return {
    ...settings,
    box,
    text,
    caret,
    history: walk.history,
    attachments,
    sending: delivery.sending,
    failure: delivery.failure,
    setText: (next, at) => {
      walk.forget();
      setText(next, at);
    },
    setCaret,
    older: walk.older,
    newer: walk.newer,
    leave: walk.leave,
    send,
    stop,
    runCommand: (name) => {
      const command = SLASH_COMMANDS.find((candidate) => candidate.name === name);
      setText('');
      const named = name.startsWith('agent ') ? agentNamed(name.slice('agent '.length)) : null;
      if (named) settings.setAgent(named.name);
      if (command) act(command.action);
    },
    dismissFailure: delivery.dismissFailure,
  };
}

/** `/agent reviewer look at it`: the agent, when the first word names one, and the message after it. */
function agentAndRest(text: string): { agent: string; rest: string } | null {
  const [word = ''] = text.split(/\s/, 1);
  const agent = agentNamed(word);
  return agent ? { agent: agent.name, rest: text.slice(word.length).trim() } : null;
}

/** Walking through what was sent before; `show` puts a text into the box without making it the draft. */
function useHistoryWalk(text: string, show: (text: string) => void) {
  const { model: chat } = useChat();
  const [history, setHistory] = useState<HistoryState>(emptyHistory);
  const go = (next: HistoryState | null): boolean => {
    if (!next) return false;
    setHistory(next);
    show(historyText(next));
    return true;
  };
  return {
    history,
    older: () => go(olderEntry({ ...history, entries: chat.history.get() }, text)),
    newer: () => go(newerEntry(history)),
    leave: () => history.at !== null && go(leaveHistory(history)),
    /** What is in the box now is a text of its own. */
    forget: () => setHistory(leaveHistory),
    reset: () => setHistory(emptyHistory),
  };
}

/**
 * Sends messages; one that was refused comes back with the reason, before what was typed meanwhile. The first message of
 * a session that was made for it comes back in that session's box.
 */
function useDelivery(
  sessionId: string | null,
  running: boolean,
  setText: (text: string) => void,
  resetHistory: () => void,
) {
  const client = useClient();
  const { model: chat } = useChat();
  const [sending, setSending] = useState(false);
  const failure = useStore(chat.failures, (all) => all[sessionId ?? 'new'] ?? null);
  const giveBack = (
    id: string | null,
    message: string,
    images: readonly Attachment[],
    error: unknown,
  ): void => {
    chat.setImages(id, { list: [...images, ...chat.imagesOf(id).list], problems: [] });
    const typed = chat.draft(id);
    const text = [message, typed].filter((part) => part !== '').join('\n');
    if (id === sessionId) setText(text);
    else if (chat.tabs.get().active === id) windowStore.draft.set({ text: message });
    else chat.setDraft(id, text);
    chat.setFailure(id, toErrorShape(error));
  };
  const send = async (message: string, how: Delivery): Promise<void> => {
    setSending(true);
    chat.setFailure(sessionId, null);
    setText('');
    resetHistory();
    if (message !== '') chat.remember(message);
    const images = chat.imagesOf(sessionId).list;
    chat.setImages(sessionId, NO_IMAGES);
    let id = sessionId;
    try {
      id ??= (await chat.create()).id;
      await sendMessage(client, asSessionId(id), { text: message, images }, running, how);
    } catch (error) {
      giveBack(id, message, images, error);
    } finally {
      setSending(false);
    }
  };
  return { sending, failure, send, dismissFailure: () => chat.setFailure(sessionId, null) };
}

/** What slash commands do. */
function useTurnActions(
  sessionId: string | null,
  setMode: (mode: Mode) => void,
  setText: (text: string) => void,
) {
  const client = useClient();
  const { model: chat } = useChat();
  const stop = (): void => {
    if (sessionId !== null) client.turn.stop({ sessionId: asSessionId(sessionId) }).catch(toastError);
  };
  const resume = (how: 'retry' | 'continue'): void => {
    if (sessionId === null) return;
    client.turn.resume({ sessionId: asSessionId(sessionId), how }).catch(toastError);
  };
  const compact = (focus: string): void => {
    if (sessionId !== null) void compactSession(client, asSessionId(sessionId), focus);
  };
  const aside = (question: string): void => {
    if (sessionId !== null) return askAside(client, asSessionId(sessionId), question);
    pushToast({
      tone: 'info',
      title: 'There is nothing to ask beside yet',
      text: 'A side question is about a conversation that has begun.',
    });
  };
  const act = (action: SlashAction): void => {
    switch (action.kind) {
      case 'mode':
        return setMode(action.mode);
      case 'new':
        return void chat.create().catch(toastError);
      case 'sessions':
        return sessionMenuStore.set({ open: true });
      case 'model':
        return modelPickerStore.set({ open: true });
      case 'stop':
        return stop();
      case 'retry':
      case 'continue':
        return resume(action.kind);
      case 'compact':
        return compact('');
      case 'aside':
        return setText('/aside ');
      case 'undo':
      case 'redo':
        return void takeBack(client, sessionId, action.kind);
      case 'help':
        return setText('/');
    }
  };
  return { stop, act, compact, aside };
}

/** React sets the value after this; the caret goes where it belongs once that is done. */
function placeCaret(box: HTMLTextAreaElement | null, text: string, at: number): void {
  if (!box) return;
  requestAnimationFrame(() => {
    if (box.value === text && document.activeElement === box) box.setSelectionRange(at, at);
  });
}

function useSessionSettings(sessionId: string | null) {
  const client = useClient();
  const { model: chat } = useChat();
  const summary = useStore(chat.summaries, (all) => (sessionId === null ? undefined : all.get(sessionId)));
  const next = useStore(chat.next);
  const configure = (change: { mode?: Mode; model?: string | null; agent?: string | null }): void => {
    const agent = change.mode === undefined ? {} : { agent: null };
    chat.next.update((old) => ({ ...old, ...agent, ...change }));
    if (sessionId === null) return;
    client.session.configure({ id: asSessionId(sessionId), ...change }).then(
      (updated) => chat.summaries.update((all) => new Map(all).set(updated.id, updated)),
      (error: unknown) => toastError(error),
    );
  };
  return {
    mode: summary?.mode ?? next.mode,
    agent: summary ? summary.agent : next.agent,
    model: summary ? summary.model : next.model,
    setMode: (mode: Mode) => configure({ mode }),
    setAgent: (name: string) => configure({ agent: name }),
    setModel: (model: string | null) => configure({ model }),
  };
}

/** Drafts come from the host a moment after the box is there: they fill it unless something was typed meanwhile. */
function useLateDraft(sessionId: string | null, text: string, setText: (text: string) => void): void {
  const { model: chat } = useChat();
  const stored = useStore(chat.drafts, (all) => all[sessionId ?? 'new'] ?? '');
  const untouched = useRef(text === '');
  useEffect(() => {
    if (text !== '') untouched.current = false;
    if (!untouched.current || stored === '' || text !== '') return;
    untouched.current = false;
    setText(stored);
  }, [stored, text, setText]);
}

/** Text that another pane wants in the box goes behind what is there. */
function useAskedDraft(
  text: string,
  setText: (text: string) => void,
  box: RefObject<HTMLTextAreaElement | null>,
): void {
  const asked = useStore(windowStore.draft);
  useEffect(() => {
    if (!asked) return;
    windowStore.draft.set(null);
    setText(text.trim() === '' ? asked.text : `${text.trimEnd()}\n${asked.text}`);
    box.current?.focus();
  }, [asked, text, setText, box]);
}
