import type { ProjectInfo } from '../../../shared/contract/project';
import { AppError } from '../../../shared/error';
import { LateConfinement } from '../sandbox/late-confinement';
import type { ProjectCatalog } from '../workspace/project-catalog';
import { openProject, type OpenProject } from './open-project';
import type { ProjectServices } from './project-services';

/** The one open project of this process, and the change from one to another. */
export class ProjectSlot {
  private open: OpenProject | null = null;
  /** That of `--approve all` (sec-I01): never without. */
  private confinement: LateConfinement | null = null;

  constructor(
    private readonly catalog: ProjectCatalog,
    private readonly services: Omit<ProjectServices, 'confined'>,
    private readonly stopTurns: () => Promise<void>,
  ) {
    let wasThere = true;
    catalog.onChange((info) => {
      const isBack = info?.exists === true && !wasThere;
      wasThere = info?.exists ?? true;
      if (isBack) this.takeUp(info.path);
    });
  }

  private takeUp(path: string): void {
    this.open?.folderIsBack().catch((error: unknown) => {
      this.services.log.error('the folder that came back can not be followed', {
        path,
        error: String(error),
      });
    });
  }

  current(): OpenProject | null {
    return this.open;
  }

  /**
   * Settles once it is known whether commands are confined where they must be; starts nothing.
   *
   * @throws AppError `unsupported` when they can't be
   */
  async confined(): Promise<void> {
    await this.confinement?.known;
  }

  /** @throws AppError `no_project` */
  require(): OpenProject {
    if (this.open) return this.open;
    throw new AppError('no_project', 'No project is open.', { hint: 'Open a folder first.' });
  }

  /** Opens what `choose` brings and leaves the project that was open; when `choose` fails that one stays. */
  async use(choose: (catalog: ProjectCatalog) => Promise<ProjectInfo>): Promise<ProjectInfo> {
    const info = await choose(this.catalog);
    await this.leave();
    const { settings, dataDir, confinement, processes } = this.services;
    settings.setProject(info.path);
    if (confinement === 'required')
      this.confinement = new LateConfinement(info.path, { latheHome: dataDir, runId: processes.runId });
    this.open = await openProject(info, { ...this.services, confined: this.confinement });
    return info;
  }

  async close(): Promise<void> {
    await this.leave();
    this.catalog.close();
  }

  private async leave(): Promise<void> {
    await this.stopTurns();
    await this.open?.close();
    this.confinement?.close();
    this.open = null;
    this.confinement = null;
    this.services.settings.setProject(null);
  }
}
