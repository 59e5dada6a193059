import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { BisectProgress } from '../../../../shared/contract/changes';
import type { ProcessLedger } from '../../process/ledger';
import { runProcess } from '../../process/run-process';
import type { Confinement } from '../../sandbox/confine';
import type { Scratch } from './scratch';
import type { ProjectState } from './states';

/** Characters of a run's output that are kept, and that are told. */
const TEXT_LIMIT = 8_000;
const TOLD_CHARS = 2_000;
/** Ending a tree takes up to two seconds; after this long its copy is removed all the same. */
const MAX_ENDING_MS = 6_000;
/** What a shell says of a command that it can't find or start. */
const NOT_RUN = new Set([126, 127]);

export interface RunnerOptions {
  scratch: Scratch;
  command: string;
  timeoutMs: number;
  ledger: ProcessLedger;
  confinement: Confinement | null;
  /** Marks the processes of this search. */
  id: string;
  onProgress(progress: BisectProgress): void;
  signal: AbortSignal;
}

/** Runs the test command in the copy, one state after the other. */
export class BisectRunner {
  runs = 0;
  /** How many runs there may be, as far as it is known. */
  most = 2;
  /** The end of the newest run's output. */
  output = '';
  /** The command itself could not be run the last time. */
  isMissing = false;

  constructor(private readonly options: RunnerOptions) {}

  /** Whether the command ends with exit code 0 in this state; not ending in time is failing. */
  async passes(state: ProjectState, label: string): Promise<boolean> {
    const { scratch, signal } = this.options;
    signal.throwIfAborted();
    await scratch.become(state.overlay);
    this.runs += 1;
    this.most = Math.max(this.most, this.runs);
    this.tell(label, null, '');
    const outcome = await this.run();
    signal.throwIfAborted();
    const passed = outcome.ended === 'exit' && outcome.exitCode === 0;
    this.isMissing = outcome.exitCode !== null && NOT_RUN.has(outcome.exitCode);
    const late = outcome.ended === 'timeout' ? '\n(ended after the time limit)' : '';
    this.output = (outcome.text + late).slice(-TOLD_CHARS).toWellFormed();
    this.tell(label, passed, this.output);
    return passed;
  }

  private async run() {
    const { scratch, command, timeoutMs, ledger, confinement, id, signal } = this.options;
    await confinement?.ensure();
    try {
      return await runProcess({
        ...{ command, cwd: scratch.root, callId: id, ledger, signal, timeoutMs, textLimit: TEXT_LIMIT },
        logPath: join(scratch.logs, `${this.runs}.log`),
        onOutput: () => undefined,
        ...(confinement === null ? {} : { wrap: confinement.wrapIn(scratch.root) }),
      });
    } finally {
      await this.endAll();
    }
  }

  /** Nothing of a run goes on into the next one. */
  private async endAll(): Promise<void> {
    const { ledger, id } = this.options;
    const own = () => ledger.list().filter(({ mark }) => mark.includes(id));
    const ended = Promise.all(own().map(({ mark }) => ledger.kill(mark)));
    await Promise.race([ended, delay(MAX_ENDING_MS, null, { ref: false })]);
  }

  private tell(label: string, passed: boolean | null, output: string): void {
    const { runs: run, most } = this;
    this.options.onProgress({ kind: 'run', run, most, label, passed, output });
  }
}
