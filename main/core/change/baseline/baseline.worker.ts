import { parentPort, Worker, workerData } from 'node:worker_threads';
import { workerFile } from '../../worker/run-job';
import type { Help } from './project-tree';
import { createEngine, type EngineAnswer, type EngineCall, type EngineOptions } from './baseline-engine';

/** The second thread is started when a project is large enough for it. */
let helper: Worker | null = null;
const helperFile = workerFile('stat-helper');
const help: Help = (list, all) => {
  if (helperFile === null) return;
  const isNew = helper === null;
  helper ??= new Worker(helperFile);
  // Without it the look takes longer, and nothing else.
  if (isNew) helper.on('error', () => (helper = null));
  helper.postMessage(isNew ? all : list);
};

const engine = createEngine(workerData as EngineOptions, help);

parentPort?.on('message', ({ id, method, seq, paths }: EngineCall) => {
  const tell = (answer: EngineAnswer): void => parentPort?.postMessage(answer);
  const answer = method === 'open' ? engine.open(paths) : engine[method](seq);
  answer.then(
    (value: unknown) => tell({ id, value }),
    (error: unknown) => tell({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
