import { inspectPart } from '../../image/image-part';
import type { ImagePart, ModelMessage } from '../../model/port';
import type { ContextEntry } from '../entry';

export interface TranscriptLimits {
  /** Characters of the whole. */
  totalChars: number;
  /** Characters that one tool result keeps; 0 leaves results out. */
  resultChars: number;
}

/** Characters that arguments of a call keep: a path and a pattern, not a file's new text. */
const ARGUMENT_CHARS = 300;

function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half).toWellFormed()} […] ${text.slice(-half).toWellFormed()}`;
}

/** Width and height from the head of a PNG that is damaged; null for other kinds. */
function pngSize(base64: string): string | null {
  const head = Buffer.from(base64.slice(0, 44), 'base64');
  if (head.length < 24 || head.toString('latin1', 1, 4) !== 'PNG') return null;
  return `${head.readUInt32BE(16)}×${head.readUInt32BE(20)} `;
}

/** Pictures are named, never put into text (case-K05). */
function imageNote(part: ImagePart): string {
  const found = inspectPart(part);
  const size = found.ok ? `${found.width}×${found.height} ` : (pngSize(part.base64) ?? '');
  return `[image ${size}${part.mime}]`;
}

function piece(message: ModelMessage, limits: PieceLimits): string {
  switch (message.role) {
    case 'user':
      return `[user]\n${[clip(message.content, limits.text), ...(message.images ?? []).map(imageNote)].join('\n')}`;
    case 'assistant': {
      const calls = (message.calls ?? []).map(
        ({ name, arguments: args }) => `[call ${name} ${clip(args, ARGUMENT_CHARS)}]`,
      );
      const text = message.content.trim() === '' ? [] : [clip(message.content, limits.text)];
      return ['[assistant]', ...text, ...calls].join('\n');
    }
    case 'tool':
      return limits.result === 0
        ? `[result of ${message.name}: ${message.content.length} characters]`
        : `[result of ${message.name}]\n${clip(message.content, limits.result)}`;
    case 'system':
      return '';
  }
}

interface PieceLimits {
  text: number;
  result: number;
}

/** All pieces, when they fit: a history of megabytes is left as soon as it is clear that it doesn't. */
function whole(entries: readonly ContextEntry[], limits: PieceLimits, totalChars: number): string[] | null {
  const pieces: string[] = [];
  let chars = 0;
  for (const { message } of entries) {
    const text = piece(message, limits);
    chars += text.length + 2;
    if (chars > totalChars) return null;
    pieces.push(text);
  }
  return pieces;
}

/** The newest pieces that fit, with a note of how many older ones are missing. */
function newest(entries: readonly ContextEntry[], limits: PieceLimits, totalChars: number): string[] {
  const kept: string[] = [];
  let chars = 60;
  for (const { message } of entries.toReversed()) {
    const text = piece(message, limits);
    if (chars + text.length + 2 > totalChars) break;
    chars += text.length + 2;
    kept.push(text);
  }
  const missing = entries.length - kept.length;
  const inOrder = kept.toReversed();
  return missing === 0 ? inOrder : [`[${missing} older messages left out]`, ...inOrder];
}

/**
 * Messages as one text for a summary, at most `totalChars` long (fault-F106): tool results give way first, then long texts,
 * then the oldest messages.
 */
export function transcript(
  entries: readonly ContextEntry[],
  { totalChars, resultChars }: TranscriptLimits,
): string {
  const least: PieceLimits = { text: 1_200, result: 0 };
  const steps: readonly PieceLimits[] = [
    { text: 20_000, result: resultChars },
    { text: 4_000, result: Math.min(400, resultChars) },
    least,
  ];
  for (const limits of steps) {
    const pieces = whole(entries, limits, totalChars);
    if (pieces !== null) return pieces.join('\n\n');
  }
  return newest(entries, least, totalChars).join('\n\n');
}
