import { useEffect, useState, type ReactNode } from 'react';
import { branchWords } from '../../lib/branch-words';
import { formatClock, formatCount, formatTokens } from '../../lib/format';
import { keyLabel } from '../../lib/keys';
import { projectStore } from '../../lib/project-store';
import { pendingStore } from '../../lib/review/pending-store';
import { statusStore, type ChatStatus } from '../../lib/status-store';
import { shallowEqual, useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { useWaitingCount, waitingWords } from '../../lib/waiting';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';
import { CostItem } from './cost-item';
import { ModelItem, type ModelActions } from './model-item';
import { NoticeBell } from './notice-bell';
import './status-bar.css';

/** What the bar's buttons do; the window decides. */
export interface StatusActions extends ModelActions {
  showChat: () => void;
  showWaiting: () => void;
  showReview: () => void;
  goToLine: () => void;
  showSettings: () => void;
  showPalette: (query: string) => void;
}

/** @param editorShown whether the editor's place shows the editor and not a page of its own */
export function StatusBar({ actions, editorShown }: { actions: StatusActions; editorShown: boolean }) {
  return (
    <section className="status-bar" aria-label="Status" data-region="status">
      <BranchItem />
      <RunItem onClick={actions.showChat} />
      <WaitingItem onClick={actions.showWaiting} />
      <ReviewItem onClick={actions.showReview} />
      <HistoryItem />
      <span className="status-space" />
      <CostItem onClick={actions.showChat} />
      <CountItems onClick={actions.showChat} />
      {editorShown && <EditorItems actions={actions} />}
      <ModelItem actions={actions} />
      <NoticeBell />
    </section>
  );
}

interface ItemProps {
  title?: string;
  className?: string;
  onClick: () => void;
  children: ReactNode;
}

function Item({ title, className = '', onClick, children }: ItemProps) {
  return (
    <button type="button" className={`status-item ${className}`} title={title} onClick={onClick}>
      {children}
    </button>
  );
}

async function copyBranch(branch: string): Promise<void> {
  await navigator.clipboard.writeText(branch);
  pushToast({ tone: 'ok', title: 'Branch name copied', text: branch });
}

function BranchItem() {
  const branch = useStore(projectStore, (project) => project?.branch ?? null);
  const note = useStore(projectStore, (project) => project?.gitNote ?? null);
  const words = branchWords({ branch, gitNote: note });
  if (branch === null || words === null) return null;
  return (
    <Item title={`${words.title}. Copies its name`} onClick={() => void copyBranch(branch).catch(toastError)}>
      <Icon name="git-branch" size={14} />
      <span className="status-branch ui-clip">{words.text}</span>
    </Item>
  );
}

const MODE_NAMES: Record<ChatStatus['mode'], string> = { agent: 'Agent', plan: 'Plan', ask: 'Ask' };

const pickRun = ({ running, mode, step, maxSteps, startedAt, sessionId }: ChatStatus) => ({
  running,
  mode,
  step,
  maxSteps,
  startedAt,
  hasSession: sessionId !== null,
});

/** The seconds since `startedAt`, drawn again once a second. */
function Clock({ startedAt }: { startedAt: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{formatClock(now - startedAt)}</>;
}

function RunItem({ onClick }: { onClick: () => void }) {
  const { running, mode, step, maxSteps, startedAt, hasSession } = useStore(
    statusStore.chat,
    pickRun,
    shallowEqual,
  );
  if (!hasSession) return null;
  if (!running) {
    return (
      <Item title="The chat’s mode" className="status-p3" onClick={onClick}>
        {MODE_NAMES[mode]}
      </Item>
    );
  }
  const most = maxSteps > 0 ? ` of at most ${maxSteps}` : '';
  return (
    <Item title={`Step ${step}${most}`} onClick={onClick}>
      <Spinner />
      <span>
        {MODE_NAMES[mode]}
        {step > 0 && `, step ${step}`}
        {startedAt !== null && (
          <>
            , <Clock startedAt={startedAt} />
          </>
        )}
      </span>
    </Item>
  );
}

function WaitingItem({ onClick }: { onClick: () => void }) {
  const waiting = useWaitingCount();
  if (waiting === 0) return null;
  return (
    <Item title="Go to what waits for your answer" className="status-waiting" onClick={onClick}>
      <Icon name="shield" size={14} />
      {waitingWords(waiting)}
    </Item>
  );
}

/** Changes of the agent that nobody has looked at yet. */
function ReviewItem({ onClick }: { onClick: () => void }) {
  const files = useStore(pendingStore, (state) => state.files.length);
  if (files === 0) return null;
  return (
    <Item title={`Review what the agent changed (${keyLabel('Mod+Shift+G')})`} onClick={onClick}>
      <Icon name="checklist" size={14} className="ui-agent" />
      {`${formatCount(files, 'file')} to review`}
    </Item>
  );
}

/** Where the message box is in what was sent before, while one walks through it. */
function HistoryItem() {
  const place = useStore(statusStore.chat, (chat) => chat.history);
  return (
    <span role="status" className="status-history">
      {place !== null && (
        <span className="status-item" title="Messages sent before; Esc goes back to the draft">
          {place}
        </span>
      )}
    </span>
  );
}

const pickCounts = ({
  contextTokens,
  tokensEstimated,
  contextWindow,
  totalTokens,
  tools,
  messages,
  errors,
}: ChatStatus) => ({
  contextTokens,
  tokensEstimated,
  contextWindow,
  totalTokens,
  tools,
  messages,
  errors,
});

function tokenTitle(counts: ReturnType<typeof pickCounts>): string {
  const estimated = counts.tokensEstimated ? ', estimated' : '';
  const context = `${(counts.contextTokens ?? 0).toLocaleString('en')} tokens in the context${estimated}`;
  const window = counts.contextWindow === null ? '' : ` of ${counts.contextWindow.toLocaleString('en')}`;
  return `${context}${window}; ${counts.totalTokens.toLocaleString('en')} in all requests of this session`;
}

function CountItems({ onClick }: { onClick: () => void }) {
  const counts = useStore(statusStore.chat, pickCounts, shallowEqual);
  const hasSession = useStore(statusStore.chat, (chat) => chat.sessionId !== null);
  if (!hasSession) return null;
  return (
    <>
      {counts.contextTokens !== null && (
        <Item className="status-p4" title={tokenTitle(counts)} onClick={onClick}>
          {formatTokens(counts.contextTokens, counts.tokensEstimated)} tokens
        </Item>
      )}
      <Item className="status-p4" title="Tool calls of this session" onClick={onClick}>
        {formatCount(counts.tools, 'tool')}
      </Item>
      <Item className="status-p4" title="Messages of this session" onClick={onClick}>
        {formatCount(counts.messages, 'message')}
      </Item>
      {counts.errors > 0 && (
        <Item title="Failed calls and turns of this session" onClick={onClick}>
          <Icon name="error" size={14} className="ui-err" />
          {formatCount(counts.errors, 'error')}
        </Item>
      )}
    </>
  );
}

function EditorItems({ actions }: { actions: StatusActions }) {
  const editor = useStore(statusStore.editor, (status) => status, shallowEqual);
  // A picture, a notice or a comparison has no place to be in.
  if (editor.path === null || editor.encoding === '') return null;
  const selected = editor.selectedChars > 0 ? ` (${editor.selectedChars} selected)` : '';
  return (
    <>
      <Item className="status-p3" title="Go to line" onClick={actions.goToLine}>
        Ln {editor.line}, Col {editor.column}
        {selected}
      </Item>
      {editor.indent !== '' && (
        <Item className="status-p3" title="Indentation; set in the settings" onClick={actions.showSettings}>
          {editor.indent}
        </Item>
      )}
      {editor.encoding !== '' && <span className="status-item status-p3">{editor.encoding}</span>}
      {editor.eol !== '' && <span className="status-item status-p3">{editor.eol}</span>}
      {editor.language !== '' && <span className="status-item">{editor.language}</span>}
    </>
  );
}
