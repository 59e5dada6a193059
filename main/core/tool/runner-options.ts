import type { Rule } from '../../../shared/model/approval';
import type { ApprovalFlag, ApprovalGate, PolicyDecision, PolicyInput } from '../approval/types';
import type { RecordCall } from '../change/log/call-recorder';
import type { WorkspaceFiles } from '../workspace/types';
import type { QuestionPort } from './question-port';
import type { ToolRegistry } from './registry';

export interface ToolRunnerOptions {
  registry: ToolRegistry;
  decide(input: PolicyInput): PolicyDecision | Promise<PolicyDecision>;
  gate: ApprovalGate;
  /** The rules that hold for a session, in the order of {@link PolicyInput.rules}. */
  rules(sessionId: string): PolicyInput['rules'];
  onGrant(rule: Rule, scope: 'session' | 'always', sessionId: string): void | Promise<void>;
  /** A grant allowed a call: for "last used". */
  onGrantUsed?(grantId: string): void;
  files: WorkspaceFiles;
  projectRoot: string;
  /** Folder for whole outputs of cut commands. */
  outputDir: string;
  flag: ApprovalFlag;
  confinement: 'required' | 'off';
  /** Awaited before a call changes anything; where it throws, nothing is changed. */
  beforeEffect?: (() => Promise<unknown> | undefined) | undefined;
  /** No answer within this time is a denial (P1: 300 s). */
  approvalTimeoutMs: number;
  questions: QuestionPort;
  /** Variables a command would get; part of what an approval holds for. */
  commandEnv?(): Record<string, string>;
  /** Whether an editor holds unsaved text of the file at this workspace path; default: nobody edits anything. */
  isUnsaved?(path: string): boolean;
  /** Told of every call that wrote files, right before its end is written down. */
  recordCall?: RecordCall;
  /** Epoch milliseconds; default Date.now. */
  clock?: () => number;
}
