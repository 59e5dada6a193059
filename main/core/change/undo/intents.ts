import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ChangeAuthor, ChangeSetId, PathChange } from '../../../../shared/model/change';
import { SessionId } from '../../../../shared/model/ids';
import { UndoFacts } from '../../../../shared/model/turn-event';
import { replaceFile } from '../../settings/replace-file';
import { startOf } from '../file-set-record';
import { lives } from '../recover-file-sets';
import { OpenConflict } from './conflict-list';

/** What an undo is about to write, so that what it did is never lost, whenever the process ends. */
export const Intent = z.object({
  pid: z.int(),
  started: z.string(),
  root: z.string(),
  projectId: z.string(),
  set: z.object({
    id: z.string(),
    author: ChangeAuthor,
    label: z.string(),
    changes: z.array(PathChange),
    at: z.int(),
  }),
  /** Entries that are taken back wholly. */
  done: z.array(ChangeSetId),
  /** The session that is told. */
  sessionId: SessionId.nullable(),
  undo: UndoFacts,
  conflicts: z.array(OpenConflict),
});
export type Intent = z.infer<typeof Intent>;

export interface Intents {
  /** Durable when it resolves. @returns what `end` is told */
  begin(intent: Omit<Intent, 'pid' | 'started'>): Promise<string>;
  end(name: string): Promise<void>;
  /** Those of processes that are gone. */
  left(): Promise<{ name: string; intent: Intent }[]>;
}

/** @param dir of Lathe's data folder; made when it is needed */
export function createIntents(dir: string): Intents {
  const fileOf = (name: string): string => path.join(dir, name);
  return {
    begin: async (intent) => {
      const name = `${randomUUID()}.json`;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const own = { pid: process.pid, started: startOf(process.pid) };
      await replaceFile(fileOf(name), JSON.stringify({ ...own, ...intent }));
      return name;
    },
    end: (name) => rm(fileOf(name), { force: true }),
    left: async () => {
      const found: { name: string; intent: Intent }[] = [];
      for (const name of await readdir(dir).catch(() => [])) {
        if (!name.endsWith('.json') || name.startsWith('.')) continue;
        const intent = await readIntent(fileOf(name));
        if (intent === null) await rm(fileOf(name), { force: true });
        else if (!lives(intent)) found.push({ name, intent });
      }
      return found;
    },
  };
}

/** One that can't be read was never whole: nothing was written for it. */
async function readIntent(file: string): Promise<Intent | null> {
  try {
    return Intent.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}
