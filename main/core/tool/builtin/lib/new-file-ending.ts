import picomatch from 'picomatch';
import type { ToolContext } from '../../types';

/** What a result says of a new file that got CRLF. */
export const CRLF_ASKED_FOR = 'CRLF, as the project asks for';

/** Folders above a file that are asked; deeper trees are not made by people. */
const MAX_FOLDERS = 40;

/**
 * The line ending that the project asks for in a new file: `.gitattributes` (`eol=`), else `.editorconfig` (`end_of_line`),
 * else LF (case-E06). Both are looked for in every folder from the project's root down; the nearest one that says something wins.
 */
export async function newFileEnding(relative: string, context: ToolContext): Promise<'\n' | '\r\n'> {
  const folders = foldersAbove(relative);
  const [attributes, editor] = await Promise.all([
    Promise.all(folders.map((folder) => readShort(`${folder}.gitattributes`, context))),
    Promise.all(folders.map((folder) => readShort(`${folder}.editorconfig`, context))),
  ]);
  const within = (folder: string): string => relative.slice(folder.length);
  let eol: string | null = null;
  for (const [at, folder] of folders.entries()) eol = fromEditorConfig(editor[at] ?? '', within(folder), eol);
  let byGit: string | null = null;
  for (const [at, folder] of folders.entries())
    byGit = fromAttributes(attributes[at] ?? '', within(folder), byGit);
  return (byGit ?? eol) === 'crlf' ? '\r\n' : '\n';
}

/** `a/b/c.ts` lies in '', 'a/' and 'a/b/'. */
function foldersAbove(relative: string): string[] {
  const parts = relative.split('/').slice(0, -1);
  return ['', ...parts.map((_part, at) => `${parts.slice(0, at + 1).join('/')}/`)].slice(0, MAX_FOLDERS);
}

/** Empty when the file is missing or can't be used: it only refines a default. */
async function readShort(name: string, context: ToolContext): Promise<string> {
  const read = context.files.readBytes(name, { maxBytes: 100_000, signal: context.signal });
  return await read.then(({ bytes }) => bytes.toString('utf8')).catch(() => '');
}

/** @param before what folders above said; lines of this file come after it */
function fromAttributes(text: string, relative: string, before: string | null): string | null {
  let eol = before;
  for (const line of text.split('\n')) {
    const [pattern, ...attributes] = line.trim().split(/\s+/);
    if (pattern === undefined || pattern === '' || !applies(pattern, relative)) continue;
    const value = attributes.find((attribute) => attribute.startsWith('eol='))?.slice('eol='.length);
    if (value !== undefined) eol = value;
    else if (attributes.some((attribute) => attribute === '-text' || attribute === 'binary')) eol = 'lf';
  }
  return eol;
}

/** @param before what folders above said; `root = true` ends that */
function fromEditorConfig(text: string, relative: string, before: string | null): string | null {
  let eol = /^\s*root\s*=\s*true\s*$/im.test(text) ? null : before;
  let inSection = false;
  for (const line of text.split('\n')) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) inSection = applies(section, relative);
    const value = /^\s*end_of_line\s*=\s*(\w+)/i.exec(line)?.[1];
    if (inSection && value !== undefined) eol = value.toLowerCase();
  }
  return eol;
}

function applies(pattern: string, relative: string): boolean {
  if (pattern.startsWith('#')) return false;
  const anchored = pattern.replace(/^\//, '');
  return picomatch.isMatch(relative, anchored.includes('/') ? anchored : `**/${anchored}`, { dot: true });
}
