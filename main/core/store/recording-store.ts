import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { z } from 'zod';
import type { Sql } from './sql';
import type { RecordingStore } from './types';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A turn's recording beyond this is left as it is: packing would hold all of it in memory. */
const MAX_PACK_BYTES = 64_000_000;

const Part = z.object({ id: z.int(), is_packed: z.int(), data: z.instanceof(Uint8Array) });

/** Adds lines to a session's recording; called inside the transaction that stores what they led to. */
export function addRecording(sql: Sql, sessionId: string, lines: string): void {
  sql.run(
    'INSERT INTO recordings (session_id, is_packed, data) VALUES (?, 0, ?)',
    sessionId,
    Buffer.from(lines, 'utf8'),
  );
}

const parts = (sql: Sql, sessionId: string, packed: '' | 'AND is_packed = 0') =>
  z
    .array(Part)
    .parse(
      sql.all(
        `SELECT id, is_packed, data FROM recordings WHERE session_id = ? ${packed} ORDER BY id`,
        sessionId,
      ),
    );

async function pack(sql: Sql, sessionId: string): Promise<void> {
  const loose = parts(sql, sessionId, 'AND is_packed = 0');
  const [first, last] = [loose[0], loose.at(-1)];
  const bytes = loose.reduce((sum, { data }) => sum + data.length, 0);
  if (!first || !last || loose.length < 2 || bytes > MAX_PACK_BYTES) return;
  const text = Buffer.concat(loose.flatMap(({ data }) => [data, Buffer.from('\n')]).slice(0, -1));
  const data = await deflate(text);
  sql.transaction(() => {
    // Another process may have packed the same lines meanwhile.
    const still = parts(sql, sessionId, 'AND is_packed = 0').filter(({ id }) => id <= last.id);
    if (still.length !== loose.length || still[0]?.id !== first.id) return;
    sql.run(
      'DELETE FROM recordings WHERE session_id = ? AND is_packed = 0 AND id BETWEEN ? AND ?',
      sessionId,
      first.id,
      last.id,
    );
    sql.run(
      'INSERT INTO recordings (id, session_id, is_packed, data) VALUES (?, ?, 1, ?)',
      first.id,
      sessionId,
      data,
    );
  });
}

/** Recordings of sessions: loose lines while a turn runs, one compressed block per finished turn. */
export function createRecordingStore(sql: Sql): RecordingStore {
  return {
    read: async (sessionId) => {
      const texts = parts(sql, sessionId, '').map(async ({ is_packed, data }) => {
        const plain = is_packed === 1 ? await inflate(data) : Buffer.from(data);
        return plain.toString('utf8');
      });
      return (await Promise.all(texts)).join('\n');
    },
    pack: (sessionId) => pack(sql, sessionId),
  };
}
