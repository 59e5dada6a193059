/** Workspace paths are relative, `/`-separated; '' is the project folder. */

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder that holds `path`; '' for what lies in the project folder itself. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/** Without the dot, as written; '' when there is none. A leading dot starts a hidden name, not an extension. */
export function extensionOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

/** The folders above `path`, outermost first, without the project folder. */
export function ancestorsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** True for `folder` itself and everything below it; '' holds everything. */
export const isWithin = (folder: string, path: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Where `path` is after `from` became `to`; null when the move does not touch it. */
export function movedPath(path: string, from: string, to: string): string | null {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : null;
}

/** The path as the operating system writes it. */
export function absolutePath(root: string, path: string): string {
  const separator = root.includes('\\') ? '\\' : '/';
  const base = root.endsWith(separator) ? root.slice(0, -1) : root;
  return path === '' ? root : base + separator + path.replaceAll('/', separator);
}

const WINDOWS_RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * Why `name` can't be the name of a file or folder, as one sentence, or null. `/` makes folders on the way where
 * `nested` allows it.
 */
export function nameProblem(name: string, options: { windows: boolean; nested: boolean }): string | null {
  const parts = options.nested ? name.split('/') : [name];
  if (name.trim() === '') return 'Type a name.';
  if (parts.some((part) => part === '')) return 'A name can’t be empty between slashes.';
  if (parts.some((part) => part === '.' || part === '..')) return 'A name can’t be only dots.';
  if (parts.some((part) => /[/\0]/.test(part))) return 'A name can’t contain a slash.';
  if (!options.windows) return null;
  if (/[\\:*?"<>|]/.test(name)) return 'Windows allows none of \\ : * ? " < > | in a name.';
  if (parts.some((part) => /[. ]$/.test(part))) return 'On Windows a name can’t end with a dot or a space.';
  return parts.some((part) => WINDOWS_RESERVED.test(part)) ? 'Windows keeps this name for a device.' : null;
}
