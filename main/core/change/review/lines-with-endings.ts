/** The lines of a text, each with its line ending; a last one without any has none. */
export function linesWithEndings(raw: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < raw.length;) {
    const end = raw.indexOf('\n', at);
    const next = end === -1 ? raw.length : end + 1;
    lines.push(raw.slice(at, next));
    at = next;
  }
  return lines;
}
