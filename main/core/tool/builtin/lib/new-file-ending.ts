import picomatch from 'picomatch';
import type { ToolContext } from '../../types';

/**
 * The line ending that the project asks for in a new file: the root's `.gitattributes` (`eol=`), else `.editorconfig`
 * (`end_of_line`), else LF (case-E06).
 */
export async function newFileEnding(relative: string, context: ToolContext): Promise<'\n' | '\r\n'> {
  const [attributes, editor] = await Promise.all([
    readShort('.gitattributes', context),
    readShort('.editorconfig', context),
  ]);
  const eol = fromAttributes(attributes, relative) ?? fromEditorConfig(editor, relative);
  return eol === 'crlf' ? '\r\n' : '\n';
}

/** Empty when the file is missing or can't be used: it only refines a default. */
async function readShort(name: string, context: ToolContext): Promise<string> {
  const read = context.files.readBytes(name, { maxBytes: 100_000, signal: context.signal });
  return await read.then(({ bytes }) => bytes.toString('utf8')).catch(() => '');
}

function fromAttributes(text: string, relative: string): string | null {
  let eol: string | null = null;
  for (const line of text.split('\n')) {
    const [pattern, ...attributes] = line.trim().split(/\s+/);
    const value = attributes.find((attribute) => attribute.startsWith('eol='))?.slice('eol='.length);
    if (pattern !== undefined && value !== undefined && applies(pattern, relative)) eol = value;
  }
  return eol;
}

function fromEditorConfig(text: string, relative: string): string | null {
  let eol: string | null = null;
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
