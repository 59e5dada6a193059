import { useEffect, useMemo, type KeyboardEvent } from 'react';
import { useClient } from '../../lib/client-context';
import { dockSlot } from '../../lib/dock-slot';
import { MarkdownHostContext } from '../../lib/markdown/markdown-host';
import { projectStore } from '../../lib/project-store';
import { type OpenSession, sessionStoreOf } from '../../lib/session-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Icon } from '../../ui/icon';
import { asSessionId, createChatModel } from './chat-model';
import { ChatContext, SessionContext, type ChatHost, useChat, useSession } from './chat-context';
import './chat.css';
import './images.css';
import { CompactingRow } from './compacting-row';
import { ChildBar } from './child-bar';
import { Composer } from './composer';
import { EmptyChat } from './empty-chat';
import { splitModel } from '../../lib/model-name';
import { keepImages } from './kept-images';
import { PlanStrip } from './plan-strip';
import { Questions } from './question-card';
import { QueueStrip } from './queue-strip';
import { ReviewStrip } from './review-strip';
import { SessionTabs } from './session-tabs';
import { spokenState } from './spoken';
import { useReviewSpoken } from './review-spoken';
import { TodoStrip } from './todo-strip';
import { Transcript } from './transcript';
import { attachFiles } from './use-attachments';
import { useImageDrop } from './use-image-drop';
import { useChatStatus, usedModel } from './use-chat-status';
import { SpendingStatus } from './use-spending';
import { type KnownModels, useModels } from '../../lib/use-models';

/** Talks with the agent: sessions as tabs, what was said and done, approvals and the message box. */
export function ChatPane(host: ChatHost) {
  const projectId = useStore(projectStore, (project) => project?.id ?? null);
  return <ProjectChat key={projectId} projectId={projectId} {...host} />;
}

function ProjectChat({ projectId, ...host }: ChatHost & { projectId: string | null }) {
  const { onOpenFile, onOpenProviderSetup, onCommand, onShowDiff, onShowContext } = host;
  const client = useClient();
  const model = useMemo(() => createChatModel(client), [client]);
  useEffect(() => model.connect(), [model]);
  useEffect(
    () => (projectId === null ? undefined : keepImages(model, projectId, toastError)),
    [model, projectId],
  );
  const scope = useMemo(
    () => ({
      ...{ model, onOpenFile, onOpenProviderSetup },
      ...(onCommand ? { onCommand } : {}),
      ...(onShowDiff && { onShowDiff }),
      ...(onShowContext && { onShowContext }),
    }),
    [model, onOpenFile, onOpenProviderSetup, onCommand, onShowDiff, onShowContext],
  );
  const links = useMemo(
    () => ({
      openLink: (url: string) => void client.app.openExternal({ url }).catch(toastError),
      openFile: onOpenFile,
    }),
    [client, onOpenFile],
  );
  return (
    <ChatContext value={scope}>
      <MarkdownHostContext value={links}>
        <ChatBody />
      </MarkdownHostContext>
    </ChatContext>
  );
}

function ChatBody() {
  const { model } = useChat();
  const client = useClient();
  const active = useStore(model.tabs, (tabs) => tabs.active);
  const known = useModels();
  const store = sessionStoreOf(client);
  const session = useMemo(() => (active === null ? null : store.open(asSessionId(active))), [store, active]);
  useEffect(() => (session ? store.retain(session.id) : undefined), [store, session]);
  useChatStatus(session, known.defaultModel);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== '.' || !(event.ctrlKey || event.metaKey) || !session?.state.get().view.live) return;
    event.preventDefault();
    client.turn.stop({ sessionId: session.id }).catch(toastError);
  };
  const drop = useImageDrop((files) => void attachFiles(model, active, files));
  return (
    <div className="ch" id="chat-session" onKeyDown={onKeyDown} {...drop.handlers}>
      {drop.over && (
        <div className="ch-drop" aria-hidden="true">
          <Icon name="file-media" size={24} />
          <span>Drop images to attach them</span>
        </div>
      )}
      <SessionTabs />
      {session ? (
        <SessionContext value={session}>
          <SessionBody key={session.id} session={session} known={known} />
        </SessionContext>
      ) : (
        <NoSession known={known} />
      )}
    </div>
  );
}

function NoSession({ known }: { known: KnownModels }) {
  const next = useStore(useChat().model.next);
  return (
    <>
      <ScriptedNote scripted={isScripted(known, next.model)} />
      <EmptyChat />
      <div className="ch-dock">
        <Composer key="new" sessionId={null} running={false} known={known} used={null} />
      </div>
    </>
  );
}

function SessionBody({ session, known }: { session: OpenSession; known: KnownModels }) {
  const { model } = useChat();
  const chosen = useStore(model.summaries, (all) => all.get(session.id)?.model ?? null);
  const running = useStore(session.state, ({ view }) => view.live !== null);
  const scriptedTurn = useStore(session.state, ({ view }) => view.live?.scripted ?? false);
  const empty = useStore(session.state, ({ ready, view }) => ready && view.items.length === 0 && !view.live);
  const ready = useStore(session.state, (state) => state.ready);
  const used = useStore(session.state, ({ view }) => usedModel(view));
  return (
    <>
      <ChildBar sessionId={session.id} />
      <SpendingStatus session={session} />
      <ScriptedNote scripted={scriptedTurn || isScripted(known, chosen)} />
      {!ready && <LoadingChat />}
      {ready && (empty ? <EmptyChat /> : <Transcript />)}
      <SpokenState />
      <div className="ch-dock">
        <CompactingRow />
        <TodoStrip />
        <PlanStrip />
        <div ref={dockSlot.set} className="ch-approval-slot" />
        <Questions />
        <ReviewStrip />
        <QueueStrip running={running} />
        <Composer sessionId={session.id} running={running} known={known} used={used} />
      </div>
    </>
  );
}

/** A session whose model plays a script, by the kind of its provider. */
function isScripted(known: KnownModels, model: string | null): boolean {
  const effective = model ?? known.defaultModel;
  if (effective === null) return false;
  const { provider } = splitModel(effective);
  return known.providers.find(({ id }) => id === provider)?.kind === 'scripted';
}

function ScriptedNote({ scripted }: { scripted: boolean }) {
  if (!scripted) return null;
  return (
    <div className="ch-scripted">
      <Icon name="play" size={14} />
      <span>Offline tour – scripted, no model</span>
    </div>
  );
}

/** Shown late, so that a quick answer does not flicker. */
function LoadingChat() {
  return (
    <div className="ch-loading" role="status" aria-label="Loading the session">
      <i style={{ width: '72%' }} />
      <i style={{ width: '88%' }} />
      <i style={{ width: '46%' }} />
    </div>
  );
}

function SpokenState() {
  const session = useSession();
  const sentence = useReviewSpoken(useStore(session.state, ({ view }) => spokenState(view)));
  return (
    <div className="ui-sr" role="status" aria-live="polite">
      {sentence}
    </div>
  );
}
