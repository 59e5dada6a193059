import { startCore } from '../../../testing/start-core';
import type { UndoPort } from '../undo-port';

/** Undoes a turn in a process that is killed at one point of it. */
const [home = '', project = '', sessionId = '', turnId = '', point = ''] = process.argv.slice(2);

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process is gone');
};

function dieAt(port: UndoPort): void {
  const { files } = port.project();
  const { writeBytes, removeFile } = files;
  const { changes } = port.store;
  const { record, markUndone } = changes;
  switch (point) {
    case 'planned':
      port.journal.begin = die;
      return;
    case 'half':
      // New files come in the order of their names; the last one is never put into its place.
      files.writeBytes = (path, bytes, options) =>
        writeBytes(path, bytes, {
          ...options,
          after: (options?.after ?? Promise.resolve()).then(() => (path === 'c.txt' ? die() : undefined)),
        });
      files.removeFile = removeFile;
      return;
    case 'written':
      changes.record = die;
      return;
    case 'stored':
      changes.record = (...set) => {
        record(...set);
        return die();
      };
      return;
    case 'marked':
      changes.markUndone = (...mark) => {
        markUndone(...mark);
        return die();
      };
      return;
    case 'told':
      port.intents.end = die;
  }
}

const { core } = await startCore({ modelUrl: 'http://127.0.0.1:9', home, project });
dieAt((core.changes.undo as unknown as { port: UndoPort }).port);
await core.changes.undo.undo({ kind: 'turn', sessionId: sessionId as never, turnId: turnId as never });
