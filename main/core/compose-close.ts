import type { CoreParts } from './compose-face';
import type { ProcessLedger } from './process/ledger';

/** What runs beside the parts of the core and ends with it. */
export interface Closing {
  processes: ProcessLedger;
  /** Left-over processes are being ended. */
  reaped: Promise<unknown>;
  stopFollowing(): void;
  /** Listens for the exit of this process. */
  killAtExit(): void;
}

/** Ends the core: what starts work first, then the project with its processes, then what they write into. */
export async function closeCore(
  { basics, projects, slot, finder, contents, agentParts, turnServices }: CoreParts,
  { processes, reaped, stopFollowing, killAtExit }: Closing,
): Promise<void> {
  stopFollowing();
  turnServices.heap?.close();
  turnServices.asides.stopAll();
  finder.close();
  await basics.indexer.close();
  await agentParts.titles.close();
  await slot.close();
  await Promise.all([processes.killAll(), reaped, basics.packing.idle(), contents.keeper.close()]);
  await contents.images.idle();
  process.off('exit', killAtExit);
  projects.dispose();
  basics.settings.close();
  basics.store.close();
  basics.log.close();
}
