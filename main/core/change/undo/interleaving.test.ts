import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { Interleaving } from './testing/interleaving';
import { openUndoDesk } from './testing/undo-desk';

/** `npm run interleave` takes 10,000. */
const STEPS = Number(process.env['LATHE_INTERLEAVE_STEPS'] ?? 500);
const SEED = Number(process.env['LATHE_INTERLEAVE_SEED'] ?? 1);
const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'lib/c.txt': 'c\n',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\nfour',
  'bom.txt': '\ufeffone\ntwo\n',
  'bin.dat': '\0binary',
};
/** Steps in one folder with one log; then all begins anew. */
const ROUND = 500;

test(
  `${STEPS} random edits, commands, saves, outside writes, undos and redos lose no line of the user and nothing unsaid`,
  async ({ annotate }) => {
    const counts: Record<string, number> = {};
    const startedAt = performance.now();
    for (let done = 0; done < STEPS; done += ROUND) {
      const project = scratchFolder('lathe-interleave-');
      await mkdir(join(project, 'lib'));
      for (const [name, text] of Object.entries(FILES)) await writeFile(join(project, name), text);
      const desk = await openUndoDesk({ project });
      try {
        const play = new Interleaving(desk, SEED + done);
        await play.run(Math.min(ROUND, STEPS - done));
        for (const [what, count] of Object.entries(play.counts)) counts[what] = (counts[what] ?? 0) + count;
      } finally {
        await desk.app[Symbol.asyncDispose]();
      }
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    await annotate(`${STEPS} steps in ${seconds} s: ${JSON.stringify(counts)}`);
    expect(counts['undo']).toBeGreaterThan(0);
  },
  STEPS * 200,
);
