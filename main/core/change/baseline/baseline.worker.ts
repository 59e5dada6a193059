import { parentPort, workerData } from 'node:worker_threads';
import { createEngine, type EngineAnswer, type EngineCall, type EngineOptions } from './baseline-engine';

const engine = createEngine(workerData as EngineOptions);

parentPort?.on('message', ({ id, method, seq }: EngineCall) => {
  const tell = (answer: EngineAnswer): void => parentPort?.postMessage(answer);
  engine[method](seq).then(
    (value: unknown) => tell({ id, value }),
    (error: unknown) => tell({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
