import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Entries shown in all, and per folder below the top: the layout is a first orientation, not an index. */
const MAX_LINES = 60;
const MAX_PER_FOLDER = 12;
const SKIPPED = new Set([
  '.git',
  'node_modules',
  'dist',
  'build',
  'out',
  'target',
  '.venv',
  '__pycache__',
  '.next',
]);

interface Entry {
  name: string;
  folder: boolean;
}

async function entriesOf(path: string): Promise<Entry[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !SKIPPED.has(entry.name))
    .map((entry) => ({ name: entry.name, folder: entry.isDirectory() }))
    .sort((a, b) => Number(b.folder) - Number(a.folder) || (a.name < b.name ? -1 : 1));
}

/**
 * Two levels of the project's folders as indented lines, for the prompt. At most {@link MAX_LINES} lines; what was left
 * out is counted. Sorted, so that the same tree always gives the same bytes.
 */
export async function projectLayout(root: string): Promise<string> {
  const top = await entriesOf(root);
  const inner = await Promise.all(
    top.map((entry) => (entry.folder ? entriesOf(join(root, entry.name)) : Promise.resolve([]))),
  );
  const lines: string[] = [];
  top.forEach((entry, index) => {
    lines.push(entry.folder ? `${entry.name}/` : entry.name);
    const children = inner[index] ?? [];
    for (const child of children.slice(0, MAX_PER_FOLDER)) {
      lines.push(`  ${child.name}${child.folder ? '/' : ''}`);
    }
    if (children.length > MAX_PER_FOLDER) lines.push(`  … ${children.length - MAX_PER_FOLDER} more`);
  });
  if (lines.length <= MAX_LINES) return lines.join('\n');
  return [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`].join('\n');
}
