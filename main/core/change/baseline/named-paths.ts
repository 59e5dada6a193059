import { posix } from 'node:path';
import { parseShell } from '../../approval/shell-parse';

/** Paths of one command that are looked up. */
const MAX_NAMED = 50;

/** A word up to its first pattern: `dist/*` names `dist`. */
const plainPart = (word: string): string => {
  const at = word.search(/[*?[{]/);
  return at === -1 ? word : word.slice(0, word.lastIndexOf('/', at) + 1);
};

/**
 * Paths in the project that a command line names: its words and the files that it writes to, whether they are there or not.
 *
 * @param cwd folder that the command runs in, workspace-relative
 */
export async function namedPaths(command: string, cwd: string): Promise<string[]> {
  const { commands, writesTo } = await parseShell(command);
  const words = [...writesTo, ...commands.flatMap(({ argv }) => argv.slice(1))];
  // `cd sub && rm -r dist`: each word may also be meant from there.
  const folders = commands.flatMap(({ argv }) =>
    argv[0] === 'cd' && argv[1] !== undefined ? [argv[1]] : [],
  );
  const paths = words
    .filter((word) => !word.startsWith('-'))
    .map(plainPart)
    .flatMap((word) => [word, ...folders.map((folder) => posix.join(folder, word))])
    .map((word) => posix.join(cwd, word).replace(/\/+$/, ''))
    .filter((path) => path !== '' && path !== '.' && !path.startsWith('..') && !path.startsWith('/'));
  return [...new Set(paths)].slice(0, MAX_NAMED);
}
