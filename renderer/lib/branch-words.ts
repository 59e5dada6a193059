import type { ProjectInfo } from '../../shared/contract/project';

/** How the branch of a project is shown, and what there is to say of it. */
export interface BranchWords {
  /** "main", "main (merging)", "1a2b3c4 (detached)". */
  text: string;
  /** As a sentence, without a full stop. */
  title: string;
}

/** Null where there is nothing to show: no repository, or one that can't be read. */
export function branchWords(project: Pick<ProjectInfo, 'branch' | 'gitNote'> | null): BranchWords | null {
  if (project?.branch == null) return null;
  const { branch, gitNote } = project;
  const text = gitNote == null ? branch : `${branch} (${gitNote})`;
  if (gitNote === 'detached') return { text, title: `No branch: commit ${branch} is checked out` };
  if (gitNote === 'bare') return { text, title: `Branch ${branch} of a bare repository` };
  const doing = gitNote == null ? '' : `, git is in the middle of ${gitNote}`;
  return { text, title: `Branch ${branch}${doing}` };
}
