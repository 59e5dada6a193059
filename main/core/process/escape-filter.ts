/** Longest control sequence that is still waited for; a longer one was never meant to end. */
const MAX_SEQUENCE = 4096;

const ESC = '\u001b';

/** End of the control sequence that starts at `from` (exclusive), or -1 when the text ends inside it. */
function sequenceEnd(text: string, from: number): number {
  const second = text[from] === ESC ? text[from + 1] : String.fromCharCode(text.charCodeAt(from) - 0x40);
  const body = text[from] === ESC ? from + 2 : from + 1;
  if (second === undefined) return -1;
  if (second === '[') return csiEnd(text, body);
  if (']PX^_'.includes(second)) return stringEnd(text, body, second === ']');
  // Intermediate bytes, then one final byte: character set selections and the like.
  let end = from + 1;
  while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x2f) end += 1;
  return end < text.length ? end + 1 : -1;
}

function csiEnd(text: string, body: number): number {
  for (let i = body; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x40 && code <= 0x7e) return i + 1;
    // Not a parameter byte: the sequence is broken off here.
    if (code < 0x20 || code > 0x3f) return i;
  }
  return -1;
}

function stringEnd(text: string, body: number, bellEnds: boolean): number {
  for (let i = body; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x9c || (bellEnds && code === 0x07)) return i + 1;
    if (code === 0x1b) return text[i + 1] === '\\' ? i + 2 : i + 1 < text.length ? i : -1;
  }
  return -1;
}

function isControl(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false;
  return (
    (code < 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09 && code !== 0x08) ||
    code === 0x7f ||
    (code >= 0x80 && code <= 0x9f)
  );
}

function startsSequence(code: number): boolean {
  return code === 0x1b || [0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f].includes(code);
}

/**
 * Takes terminal control sequences (CSI, OSC, DCS, APC, PM, SOS, also in 8-bit form) and control characters out of a
 * stream of text, also when they are split over chunks. Line feed, carriage return, tab and backspace stay.
 */
export function createEscapeFilter(): { push(text: string): string; end(): string } {
  let held = '';
  function push(chunk: string): string {
    const text = held + chunk;
    held = '';
    let out = '';
    let from = 0;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (!isControl(code)) continue;
      out += text.slice(from, i);
      from = i + 1;
      if (!startsSequence(code)) continue;
      const end = sequenceEnd(text, i);
      if (end < 0) {
        if (text.length - i < MAX_SEQUENCE) held = text.slice(i);
        return out;
      }
      from = end;
      i = end - 1;
    }
    return out + text.slice(from);
  }
  return {
    push,
    end() {
      held = '';
      return '';
    },
  };
}
