import { runJob, type Job } from '../../worker/run-job';
import type { FileVersion } from './line-history';
import { traceLines } from './trace-lines';

export interface TraceInput {
  /** Their authors are numbers of versions. */
  versions: FileVersion<number>[];
}

/** Stands for no author. */
const NOBODY = -1;
/** Texts of more characters, over all versions, are followed in a thread of their own: starting one takes some 30 ms. */
const MAX_HERE_CHARS = 500_000;

/** Numbers of the versions that wrote the last version's lines; -1 for none. */
export const traceJob: Job<TraceInput, Int32Array> = async ({ versions }) => {
  const { origins } = await traceLines(versions);
  return Int32Array.from(origins, (origin) => origin ?? NOBODY);
};

/** Who wrote each line of the last version. The main thread is held for a moment only, however long the texts are. */
export async function writersOfLines<T>(versions: readonly FileVersion<T>[]): Promise<(T | null)[]> {
  const numbered = versions.map((version, at) => ({
    ...version,
    author: version.author === null ? null : at,
  }));
  const chars = versions.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  const input: TraceInput = { versions: numbered };
  const load = (): Promise<typeof traceJob> => Promise.resolve(traceJob);
  const origins =
    chars > MAX_HERE_CHARS
      ? await runJob('trace-lines', load, input)
      : await traceJob(input, NEVER, () => undefined);
  return Array.from(origins, (at) => versions[at]?.author ?? null);
}

const NEVER = new AbortController().signal;
