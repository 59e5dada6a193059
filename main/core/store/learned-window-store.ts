import { z } from 'zod';
import { parseRow, type Sql } from './sql';
import type { LearnedWindowStore } from './types';

const Row = z.object({ tokens: z.int().min(1) });

/** Context windows that were learnt from providers' overflow errors. */
export function createLearnedWindowStore(sql: Sql): LearnedWindowStore {
  return {
    get: (provider, model) => {
      const query = 'SELECT tokens FROM learned_windows WHERE provider = ? AND model = ?';
      return parseRow(Row, sql.get(query, provider, model))?.tokens ?? null;
    },
    learn: (provider, model, tokens) => {
      sql.run(
        'INSERT OR REPLACE INTO learned_windows (provider, model, tokens, learned_at) VALUES (?, ?, ?, ?)',
        provider,
        model,
        Math.floor(tokens),
        Date.now(),
      );
    },
  };
}
