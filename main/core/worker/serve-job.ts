import { parentPort, workerData } from 'node:worker_threads';
import { toErrorShape } from '../../../shared/error';
import type { Job, JobMessage } from './run-job';

/** The worker's side of {@link runJob}: runs its one job and says how it went. */
export function serveJob<I, O>(job: Job<I, O>): void {
  const port = parentPort;
  if (!port) return;
  const tell = (message: JobMessage): void => port.postMessage(message);
  const abort = new AbortController();
  port.on('message', () => abort.abort(new DOMException('The work was stopped.', 'AbortError')));
  job(workerData as I, abort.signal, (done) => tell({ kind: 'progress', done })).then(
    (value) => tell({ kind: 'done', value }),
    (error: unknown) => tell({ kind: 'failed', error: toErrorShape(error) }),
  );
}
