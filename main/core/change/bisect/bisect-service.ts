import { randomUUID } from 'node:crypto';
import { AppError } from '../../../../shared/error';
import type { BisectProgress } from '../../../../shared/contract/changes';
import type { SessionId } from '../../../../shared/model/ids';
import type { ProcessLedger } from '../../process/ledger';
import { planConfinement, type Confinement } from '../../sandbox/confine';
import type { Store } from '../../store/types';
import { openWorkspaceFiles } from '../../workspace/workspace-files';
import type { WorkspaceFiles } from '../../workspace/types';
import { TurnRefs } from '../trace/turn-refs';
import type { BisectService, Blobs } from '../types';
import { BisectRunner } from './bisect-run';
import { BisectSearch } from './bisect-search';
import { candidates } from './candidates';
import { Scratch } from './scratch';
import { FormerStates } from './states';

export interface BisectOptions {
  store: Pick<Store, 'changes' | 'sessions' | 'windows'>;
  blobs: Blobs;
  ledger: ProcessLedger;
  /** LATHE_HOME. */
  dataDir: string;
  /** Folder of the copies. */
  folder: string;
  /** Resolves when copies that dead processes left are gone. */
  tidied: Promise<unknown>;
  /** @throws AppError `no_project` */
  project(): { id: string; files: WorkspaceFiles };
}

type Request = Parameters<BisectService['run']>[0];

/** A sandbox shows empty folders in their place, so that what is linked into them is not to be had. */
const HIDDEN = ['/tmp', '/var/tmp', '/run', '/dev/shm'];

/** Finds the change of an agent that made a test command fail; the project is only read. */
export class Bisect implements BisectService {
  constructor(private readonly options: BisectOptions) {}

  async run(
    request: Request,
    onProgress: (progress: BisectProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      onProgress(await this.search(request, onProgress, signal));
    } catch (error) {
      if (signal.aborted) throw new AppError('cancelled', 'The search was stopped.', { audience: 'log' });
      if (!(error instanceof AppError)) throw error;
      onProgress({ kind: 'nothing', why: [error.message, error.hint ?? ''].join(' ').trim(), runs: 0 });
    }
  }

  private async search(
    { sessionId, command, timeoutSeconds }: Request,
    onProgress: (progress: BisectProgress) => void,
    signal: AbortSignal,
  ): Promise<BisectProgress> {
    const { store, blobs, ledger, project } = this.options;
    const { id: projectId, files } = project();
    const groups = candidates(store, projectId, sessionId as SessionId | null, new TurnRefs(store));
    if (groups.length === 0) {
      const whose = sessionId === null ? 'No session' : 'This session';
      return { kind: 'nothing', why: `${whose} has no changes that are still there.`, runs: 0 };
    }
    await this.options.tidied;
    const scratch = await Scratch.make(this.options.folder, files.root, signal, (count) =>
      onProgress({ kind: 'copying', files: count }),
    );
    let confinement: Confinement | null = null;
    try {
      const states = new FormerStates(
        await openWorkspaceFiles(scratch.root),
        projectId,
        store.changes,
        blobs,
      );
      await states.look(groups.flatMap(({ sets }) => sets));
      confinement = await this.confinementOf(scratch, files.root);
      const runner = new BisectRunner({
        ...{ scratch, command, ledger, confinement, onProgress, signal },
        timeoutMs: timeoutSeconds * 1000,
        id: `bisect-${randomUUID()}`,
      });
      return await new BisectSearch(groups, states, runner).run();
    } finally {
      confinement?.close();
      await scratch.remove();
    }
  }

  /** Null where the machine can't confine, or where that would hide what the tests need. */
  private async confinementOf(scratch: Scratch, root: string): Promise<Confinement | null> {
    const hidden = HIDDEN.some((folder) => root === folder || root.startsWith(`${folder}/`));
    if (scratch.hasLinkedDependencies && hidden) return null;
    const { dataDir, ledger } = this.options;
    return await planConfinement(scratch.root, { latheHome: dataDir, runId: ledger.runId }).catch(() => null);
  }
}
