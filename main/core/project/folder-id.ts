import type { ProjectInfo } from '../../../shared/contract/project';

/** A folder's change log and backups are its own, also where its sessions count as another project's. */
export const folderIdOf = (info: ProjectInfo): string => info.folderId ?? info.id;
