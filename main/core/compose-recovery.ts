import type { Subagents } from './agent/subagents';
import { recoveredNotices, recoverFileSets } from './change/recover-file-sets';
import type { ChangeServices } from './change/types';
import type { Basics } from './compose-basics';
import type { ProcessLedger } from './process/ledger';

/** What has to put its own part right. */
export interface RecoveryParts {
  processes: ProcessLedger;
  /** Folder of the journal of file sets. */
  unfinished: string;
  changes: ChangeServices;
  subagents: Subagents;
}

/** What came of the recovery. */
export interface Recovered {
  /** What people should know. */
  startNotices: string[];
  /** What still goes on: left-over processes are being ended. */
  reaped: Promise<unknown>;
}

/** Closes what turns of an earlier process left open. */
function tidyUp({ store, catalog, log }: Basics, processes: ProcessLedger): Recovered {
  const mended = catalog.recover();
  store.branches.dropUnfinished();
  if (mended > 0) log.info('closed turns of a process that died', { sessions: mended });
  const reaped = processes.reapOrphans().catch((error: unknown) => {
    log.warn('left-over processes could not be looked for', { error: String(error) });
  });
  const { notice } = store.opened;
  return { startNotices: notice === null ? [] : [notice], reaped };
}

/**
 * Puts right what an earlier process left behind. The order matters: turns end before files are taken back, an undo is
 * stored only once its files are whole or back, and subagents wait in their queue only when all of it is done.
 */
export async function recover(basics: Basics, parts: RecoveryParts): Promise<Recovered> {
  const { store, lease, log } = basics;
  const { startNotices, reaped } = tidyUp(basics, parts.processes);
  startNotices.push(...recoveredNotices(await recoverFileSets(parts.unfinished)));
  await parts.changes.undo.recover((error) =>
    log.warn('an undo could not be recovered', { error: String(error) }),
  );
  parts.subagents.recover(store.sessions.queued(), (id) => lease.heldByOther(id) !== null);
  return { startNotices, reaped };
}
