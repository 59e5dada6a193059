/** CSI, OSC/DCS/APC/PM/SOS strings (also unterminated), two-character escapes, in 7-bit and 8-bit form. */
const SEQUENCES =
  /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[\x20-\x2f]*[\x30-\x7e]?/g;
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/**
 * What a terminal's screen would keep of `output`: escape sequences removed (sec-G05), a carriage return starts its line
 * again (progress bars leave their last state), backspaces erase. Lines keep their order; text after a broken sequence
 * survives.
 */
export function terminalText(output: string): string {
  return output
    .replace(SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => overwrite(line).replace(CONTROLS, ''))
    .join('\n');
}

function overwrite(line: string): string {
  let text = line;
  if (text.includes('\r'))
    text = text.split('\r').reduce((shown, part) => part + shown.slice(part.length), '');
  while (text.includes('\b')) {
    const next = text.replace(/[^\b]\x08/, '');
    if (next === text) break;
    text = next;
  }
  return text;
}
