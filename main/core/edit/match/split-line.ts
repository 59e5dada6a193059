/** A line in three parts; `indent + body + trail` is the line. A blank line is all indent. */
export interface SplitLine {
  indent: string;
  body: string;
  trail: string;
}

const SPACE = /\s/;

function isSpace(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13);
  return SPACE.test(line.charAt(at));
}

/** @param line without its line break */
export function splitLine(line: string): SplitLine {
  let start = 0;
  while (start < line.length && isSpace(line, start)) start += 1;
  let end = line.length;
  while (end > start && isSpace(line, end - 1)) end -= 1;
  return { indent: line.slice(0, start), body: line.slice(start, end), trail: line.slice(end) };
}

/** Columns of an indentation; a tab counts as four, which only has to keep the order of indentations. */
export function indentWidth(indent: string): number {
  let width = 0;
  for (const character of indent) width += character === '\t' ? 4 : 1;
  return width;
}
