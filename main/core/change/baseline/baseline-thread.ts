import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../shared/error';
import { workerFile } from '../../worker/run-job';
import {
  createEngine,
  type Baseline,
  type BaselineEngine,
  type EngineAnswer,
  type EngineCall,
  type EngineOptions,
} from './baseline-engine';
import type { Swept } from './project-tree';

/** A baseline engine in a thread of its own; it is started by the first question and ended by `close`. */
export interface BaselineThread extends BaselineEngine {
  close(): Promise<void>;
}

/** Where there is no file for the thread, as when Lathe runs from its source, the engine works in this one. */
export function startBaseline(options: EngineOptions): BaselineThread {
  const file = workerFile('baseline');
  if (file !== null) return new Thread(file, options);
  return Object.assign(createEngine(options), { close: () => Promise.resolve() });
}

const failed = (why: string): AppError =>
  new AppError('internal', `The project’s files could not be compared: ${why}`, { audience: 'log' });

class Thread implements BaselineThread {
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>();
  private worker: Worker | null = null;
  private lastId = 0;
  private isClosed = false;

  constructor(
    private readonly file: string,
    private readonly options: EngineOptions,
  ) {}

  ready = (): Promise<Baseline> => this.ask('ready') as Promise<Baseline>;
  sweep = (): Promise<Swept> => this.ask('sweep') as Promise<Swept>;
  coverage = (): Promise<Baseline['coverage']> => this.ask('coverage') as Promise<Baseline['coverage']>;
  open = (paths: readonly string[]): Promise<Baseline['coverage']> =>
    this.ask('open', 0, paths) as Promise<Baseline['coverage']>;
  shut = (): Promise<void> => this.ask('shut') as Promise<void>;
  commit = (seq: number): Promise<void> => this.ask('commit', seq) as Promise<void>;

  /** What is being asked is given up; a line of the record that is cut short counts for nothing. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  private ask(method: EngineCall['method'], seq = 0, paths: readonly string[] = []): Promise<unknown> {
    if (this.isClosed) return Promise.reject(failed('the project was closed'));
    const worker = (this.worker ??= this.start());
    const call: EngineCall = { id: (this.lastId += 1), method, seq, paths };
    const answer = Promise.withResolvers<unknown>();
    this.waiting.set(call.id, answer);
    worker.ref();
    worker.postMessage(call);
    return answer.promise;
  }

  private start(): Worker {
    const worker = new Worker(this.file, { workerData: this.options });
    worker.on('message', (answer: EngineAnswer) => {
      const asked = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if ('error' in answer) asked?.reject(failed(answer.error));
      else asked?.resolve(answer.value);
      if (this.waiting.size === 0) worker.unref();
    });
    const end = (why: string): void => {
      for (const { reject } of this.waiting.values()) reject(failed(why));
      this.waiting.clear();
      if (this.worker === worker) this.worker = null;
    };
    worker.on('error', (error: Error) => end(error.message));
    worker.on('exit', (code) => end(`its thread ended with ${code}`));
    worker.unref();
    return worker;
  }
}
