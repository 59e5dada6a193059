import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from '../worker/run-job';
import { createSearchStore } from './search-store';
import { Sql } from './sql';

/** Between two steps others get the write lock. */
const PAUSE_MS = 25;

/** Puts the messages of before into the search index, step by step; what is left is taken up at the next start. */
export const searchBackfillJob: Job<{ path: string }, { slices: number }> = async (
  { path },
  signal,
  progress,
) => {
  const sql = Sql.open(path);
  try {
    const search = createSearchStore(sql);
    let slices = 0;
    while (!signal.aborted && search.backfill()) {
      slices += 1;
      progress(slices);
      await wait(PAUSE_MS);
    }
    return { slices };
  } finally {
    sql.close();
  }
};
