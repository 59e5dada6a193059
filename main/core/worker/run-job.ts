import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError, ErrorShape, fromErrorShape } from '../../../shared/error';

/** Work that would hold up the main thread. Plain data in and out; it must look at the signal between its steps. */
export type Job<I, O> = (input: I, signal: AbortSignal, progress: (done: number) => void) => Promise<O>;

export interface JobOptions {
  signal?: AbortSignal;
  /** Told how far the work is, in units of the job's own. */
  onProgress?: (done: number) => void;
}

/** What a worker says. */
export type JobMessage =
  { kind: 'progress'; done: number } | { kind: 'done'; value: unknown } | { kind: 'failed'; error: unknown };

/** The worker's file beside the bundle or, from one of its chunks, one folder up; null when run from source. */
export function workerFile(name: string): string | null {
  const here = dirname(fileURLToPath(import.meta.url));
  const found = [here, dirname(here)].map((folder) => join(folder, `${name}.worker.mjs`)).find(existsSync);
  return found ?? null;
}

function failure(error: unknown): AppError {
  const shape = ErrorShape.safeParse(error);
  return shape.success ? fromErrorShape(shape.data) : new AppError('internal', 'A worker failed.');
}

function inWorker<I, O>(file: string, input: I, { signal, onProgress }: JobOptions): Promise<O> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: input });
    const stop = (): void => worker.postMessage('stop');
    const settle = (finish: () => void): void => {
      signal?.removeEventListener('abort', stop);
      worker.removeAllListeners();
      void worker.terminate();
      finish();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    worker.on('message', (message: JobMessage) => {
      if (message.kind === 'progress') onProgress?.(message.done);
      else if (message.kind === 'done') settle(() => resolve(message.value as O));
      else settle(() => reject(failure(message.error)));
    });
    worker.once('error', (cause: Error) =>
      settle(() => reject(new AppError('internal', `A worker failed: ${cause.message}`, { cause }))),
    );
    worker.once('exit', (code) =>
      settle(() => reject(new AppError('internal', `A worker ended early with ${code}.`))),
    );
  });
}

/**
 * Runs a job in a thread of its own (`<name>.worker.ts`, built as a file beside the others); where there is no such file,
 * as when Lathe runs from its source, in this thread.
 *
 * @throws AppError what the job failed with; `cancelled` after an abort
 */
export function runJob<I, O>(
  name: string,
  load: () => Promise<Job<I, O>>,
  input: I,
  options: JobOptions = {},
): Promise<O> {
  const file = workerFile(name);
  if (file !== null) return inWorker(file, input, options);
  const signal = options.signal ?? new AbortController().signal;
  return load().then((job) => job(input, signal, options.onProgress ?? (() => undefined)));
}
