/** A line that never ends is cut into pieces of this many characters. */
const MAX_LINE = 64 * 1024;

/** What is left of a line after carriage returns and backspaces: the last state of a progress bar. */
function finalState(line: string): string {
  let text = line;
  if (text.includes('\r')) text = text.split('\r').findLast((piece) => piece !== '') ?? '';
  while (text.includes('\b')) text = text.replace(/[^\b]?\b/, '');
  return text;
}

export interface OutputText {
  push(text: string): void;
  /** The text so far: whole, or its head and tail with a line between them that says how much is missing. */
  read(): { text: string; cutChars: number };
  /** Characters of the whole text, after progress lines were collapsed. */
  length(): number;
}

function safeHead(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

function safeTail(text: string, length: number): string {
  const start = text.length - length;
  const code = text.charCodeAt(start);
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start);
}

/**
 * Collects output for the model in bounded memory: lines that overwrite themselves are reduced to their last state, and of
 * a long text only the head (a third) and the tail (two thirds) are kept.
 *
 * @param limit characters of the text that {@link OutputText.read} gives back, without the line about what is missing
 */
export function createOutputText(limit: number): OutputText {
  const headLimit = Math.floor(limit / 3);
  const tailLimit = limit - headLimit;
  let line = '';
  let head = '';
  let tail = '';
  let total = 0;

  function append(text: string): void {
    total += text.length;
    let rest = text;
    if (head.length < headLimit) {
      head += rest.slice(0, headLimit - head.length);
      rest = text.slice(text.length - Math.max(0, total - headLimit));
      if (total <= headLimit) return;
    }
    tail += rest;
    if (tail.length > 4 * tailLimit) tail = tail.slice(-2 * tailLimit);
  }

  function push(text: string): void {
    const end = text.lastIndexOf('\n');
    if (end < 0) line += text;
    else {
      const lines = line + text.slice(0, end + 1);
      append(
        /[\r\b]/.test(lines) ? lines.replaceAll('\r\n', '\n').split('\n').map(finalState).join('\n') : lines,
      );
      line = text.slice(end + 1);
    }
    if (line.length <= MAX_LINE) return;
    line = finalState(line);
    if (line.length <= MAX_LINE) return;
    append(line);
    line = '';
  }

  function read(): { text: string; cutChars: number } {
    const rest = finalState(line);
    const whole = total + rest.length;
    const end = tail + rest;
    if (whole <= limit) return { text: head + end, cutChars: 0 };
    const first = safeHead(head, headLimit);
    const last = safeTail(end, tailLimit);
    const cutChars = whole - first.length - last.length;
    return { text: `${first}\n[… ${cutChars} characters cut …]\n${last}`, cutChars };
  }

  return { push, read, length: () => total + finalState(line).length };
}
