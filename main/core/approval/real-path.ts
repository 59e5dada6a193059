import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DiskPace } from '../workspace/disk-pace';

/** Real path of what exists of `path`, with the missing rest appended; null when it can't be resolved. */
async function realAsFarAsPossible(path: string, pace: DiskPace): Promise<string | null> {
  let existing = path;
  const rest: string[] = [];
  for (;;) {
    try {
      const asked = existing;
      const real = await pace.ask(
        () => realpathSync.native(asked),
        () => realpath(asked),
      );
      return join(real, ...rest);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      const parent = dirname(existing);
      if (code !== 'ENOENT' || parent === existing) return null;
      rest.unshift(existing.slice(parent.length).replace(/^[/\\]/, ''));
      existing = parent;
    }
  }
}

/**
 * A path relative to the project with links resolved, `/`-separated. Null when it leads out of the project or can't be
 * resolved (loops, unreadable folders): callers treat both as outside.
 */
export async function realRelativePath(projectRoot: string, path: string): Promise<string | null> {
  const pace = await DiskPace.of(projectRoot);
  const root = await realAsFarAsPossible(projectRoot, pace);
  const lexical = relative(projectRoot, resolve(projectRoot, path));
  if (root === null || lexical === '..' || lexical.startsWith(`..${sep}`) || isAbsolute(lexical)) return null;
  const real = await realAsFarAsPossible(resolve(projectRoot, path), pace);
  if (real === null) return null;
  const inside = relative(root, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return null;
  return inside.split(sep).join('/');
}
