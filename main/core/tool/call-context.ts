import { randomUUID } from 'node:crypto';
import { QuestionId, type CallId, type SessionId } from '../../../shared/model/ids';
import type { ReplyCall } from '../model/port';
import type { WorkspaceFiles } from '../workspace/types';
import type { QuestionPort } from './question-port';
import type { CallEnvironment, ToolContext } from './types';

export interface ContextOptions {
  files: WorkspaceFiles;
  projectRoot: string;
  outputDir: string;
  confinement: 'required' | 'off';
  questions: QuestionPort;
  isUnsaved?(path: string): boolean;
}

/** Streamed output on its way to the journal, in order. */
export class CallOutput {
  private tail: Promise<void> = Promise.resolve();
  private failure: Error | null = null;

  constructor(
    private readonly callId: CallId,
    private readonly environment: CallEnvironment,
  ) {}

  push(stream: 'stdout' | 'stderr', text: string): void {
    this.tail = this.tail
      .then(() => this.environment.emit({ type: 'call.output', callId: this.callId, stream, text }))
      .catch((error: unknown) => {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
      });
  }

  /** Resolves when everything is written down. @throws what the journal threw first */
  async drained(): Promise<void> {
    await this.tail;
    if (this.failure !== null) throw this.failure;
  }
}

/** The world of one call, made from the turn's side and the project's side. */
export function callContext(
  call: ReplyCall,
  environment: CallEnvironment,
  options: ContextOptions,
  permits: (path: string) => Promise<boolean>,
): { context: ToolContext; output: CallOutput } {
  const callId = call.id as CallId;
  const output = new CallOutput(callId, environment);
  const context: ToolContext = {
    sessionId: environment.sessionId,
    turnId: environment.turnId,
    callId: call.id,
    projectRoot: options.projectRoot,
    outputDir: options.outputDir,
    signal: environment.signal,
    files: options.files,
    ledger: environment.ledger,
    todos: environment.todos,
    plans: environment.plans,
    confinement: options.confinement,
    permits,
    sees: environment.sees ?? null,
    isUnsaved: (path) => options.isUnsaved?.(path) ?? false,
    ask: (question, choices) => askUser(question, choices, callId, environment, options.questions),
    subagent: ({ sessionId, ...child }) =>
      environment.emit({ type: 'subagent.started', callId, childId: sessionId as SessionId, ...child }),
    output: (stream, text) => {
      output.push(stream, text);
    },
  };
  return { context, output };
}

async function askUser(
  question: string,
  choices: string[],
  callId: CallId,
  environment: CallEnvironment,
  questions: QuestionPort,
): Promise<string | null> {
  const questionId = QuestionId.parse(randomUUID());
  const { sessionId, turnId, signal, emit } = environment;
  await emit({ type: 'question.asked', questionId, callId, question, options: choices });
  const answer = await questions.ask(
    { questionId, callId, question, options: choices, sessionId, turnId },
    signal,
  );
  await emit({ type: 'question.answered', questionId, callId, answer });
  return answer;
}
