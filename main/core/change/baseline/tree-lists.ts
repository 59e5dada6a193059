import type { FolderNode } from './tree-entry';

/** What is not covered, for people: ignored folders, large files, what lies over the limits. */
export function coverageOf(root: FolderNode): { path: string; sizeBytes: number | null }[] {
  const found: { path: string; sizeBytes: number | null }[] = [];
  const visit = (node: FolderNode, path: string): void => {
    for (const [name, entry] of node.entries) {
      const own = path === '' ? name : `${path}/${name}`;
      if (entry.kind === 'folder') visit(entry, own);
      else if (entry.kind === 'closed')
        found.push(
          entry.isFolder ? { path: `${own}/`, sizeBytes: null } : { path: own, sizeBytes: entry.sizeBytes },
        );
      else if (entry.hash === null) found.push({ path: own, sizeBytes: entry.sizeBytes });
    }
  };
  visit(root, '');
  return found;
}

/** Absolute paths of all files and links, in the order in which the tree is walked; each is told its place. */
export function listLeaves(root: FolderNode, folder: string): string[] {
  const paths: string[] = [];
  const visit = (node: FolderNode, path: string): void => {
    for (const [name, entry] of node.entries) {
      if (entry.kind === 'folder') visit(entry, `${path}/${name}`);
      else entry.at = paths.push(`${path}/${name}`) - 1;
    }
  };
  visit(root, folder);
  return paths;
}
