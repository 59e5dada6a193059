import type { Mode } from '../../shared/model/mode';
import { createStore } from './store';

/** What the chat tells the status bar, the window title and the close guard about the session on screen. */
export interface ChatStatus {
  sessionId: string | null;
  title: string;
  mode: Mode;
  /** True from `turn.started` to `turn.finished`. */
  running: boolean;
  /** Step of the running turn, 1-based; 0 before its first step. */
  step: number;
  maxSteps: number;
  /** Epoch milliseconds; null when nothing runs. */
  startedAt: number | null;
  /** Approvals and questions of this session that wait for the user. */
  waiting: number;
  /** Tokens in the model's context now; null when unknown. */
  contextTokens: number | null;
  tokensEstimated: boolean;
  contextWindow: number | null;
  totalTokens: number;
  tools: number;
  messages: number;
  errors: number;
  /** Display names; null when no model is set up. */
  provider: string | null;
  model: string | null;
  /** Where in what was sent before the message box is, as shown: "hist 3/5"; null outside. */
  history: string | null;
}

export const NO_CHAT_STATUS: ChatStatus = {
  sessionId: null,
  title: '',
  mode: 'agent',
  running: false,
  step: 0,
  maxSteps: 0,
  startedAt: null,
  waiting: 0,
  contextTokens: null,
  tokensEstimated: false,
  contextWindow: null,
  totalTokens: 0,
  tools: 0,
  messages: 0,
  errors: 0,
  provider: null,
  model: null,
  history: null,
};

/** What the editor tells the status bar about its active file; `dirtyFiles` counts all open files. */
export interface EditorStatus {
  /** Workspace path; null when no file is open. */
  path: string | null;
  /** 1-based. */
  line: number;
  column: number;
  selectedChars: number;
  /** Shown as "Spaces: 2" or "Tabs: 4"; '' when unknown. */
  indent: string;
  /** As shown: `UTF-8`, `UTF-8 BOM`, `UTF-16 LE` … */
  encoding: string;
  /** As shown: `LF`, `CRLF`, `Mixed`. */
  eol: string;
  /** As shown: `TypeScript`. */
  language: string;
  dirtyFiles: number;
}

/**
 * The two parts that the status bar and the close guard read. The chat writes `statusStore.chat`, the editor writes
 * `statusStore.editor`, each with `update((status) => ({ ...status, … }))` whenever one of its facts changes; nobody else
 * writes. Readers select narrowly.
 */
export const statusStore = {
  chat: createStore(NO_CHAT_STATUS),
  /** Money of the session on screen with its subagents, in millionths of a dollar; `limitMicros` null for no limit. */
  spending: createStore<{ spentMicros: number; limitMicros: number | null }>({
    spentMicros: 0,
    limitMicros: null,
  }),
  editor: createStore<EditorStatus>({
    path: null,
    line: 1,
    column: 1,
    selectedChars: 0,
    indent: '',
    encoding: '',
    eol: '',
    language: '',
    dirtyFiles: 0,
  }),
} as const;
