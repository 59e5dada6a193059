import picomatch from 'picomatch';
import { AppError } from '../../../../../shared/error';

const MAX_CHARS = 500;
const MAX_BRACES = 12;
const MAX_DEPTH = 3;
const MAX_GLOBSTARS = 8;

/**
 * A matcher for workspace-relative paths. A pattern without `/` matches names at any depth, as in .gitignore; a file whose
 * path is the pattern itself always matches, so that `[id].tsx` finds the file of that name (case-G10).
 *
 * @throws AppError `bad_argument` for patterns that are malformed or could explode (case-G09)
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/^(\.?\/)+/, '');
  refuseMalformed(plain);
  const anywhere = plain.includes('/') ? plain : `**/${plain}`;
  const matches = picomatch(anywhere, { dot: true, noextglob: true });
  return (path) => matches(path) || path === plain || (!plain.includes('/') && path.endsWith(`/${plain}`));
}

function refuseMalformed(pattern: string): void {
  if (pattern === '') throw malformed(pattern, 'it is empty');
  if (pattern.length > MAX_CHARS) throw malformed(pattern, `it is longer than ${MAX_CHARS} characters`);
  if (pattern.split('/').includes('..')) throw malformed(pattern, 'it leads out of the project folder');
  if (pattern.split('**').length - 1 > MAX_GLOBSTARS) throw malformed(pattern, 'it has too many **');
  const { unclosed, braces, depth } = scan(pattern);
  if (unclosed !== null) throw malformed(pattern, `\`${unclosed}\` is not closed`);
  if (braces > MAX_BRACES || depth > MAX_DEPTH) throw malformed(pattern, 'it has too many braces');
}

function scan(pattern: string): { unclosed: string | null; braces: number; depth: number } {
  let open = 0;
  let depth = 0;
  let braces = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') {
      const end = pattern.indexOf(']', at + 2);
      if (end === -1) return { unclosed: '[', braces, depth };
      at = end;
    } else if (character === '{') {
      braces += 1;
      open += 1;
      depth = Math.max(depth, open);
    } else if (character === '}' && open > 0) open -= 1;
  }
  return { unclosed: open > 0 ? '{' : null, braces, depth };
}

const malformed = (pattern: string, why: string): AppError =>
  new AppError('bad_argument', `The glob \`${pattern.slice(0, 80)}\` can't be used: ${why}.`, {
    audience: 'model',
    hint: 'Examples: `*.ts`, `src/**/*.{ts,tsx}`.',
  });
