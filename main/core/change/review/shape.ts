import { dominantEnding, type TextFile } from '../../edit/text-codec';

const isAscii = ({ raw }: TextFile): boolean => {
  for (let at = 0; at < raw.length; at += 1) if (raw.charCodeAt(at) > 127) return false;
  return true;
};

const hasOneEnding = ({ eol }: TextFile): boolean => eol === 'lf' || eol === 'crlf';

/** Whether two texts are written the same way, as far as their lines can tell: encoding, mark, line endings. */
export function sameShape(a: TextFile, b: TextFile): boolean {
  if (a.bom !== b.bom) return false;
  if (hasOneEnding(a) && hasOneEnding(b) && a.eol !== b.eol) return false;
  // Plain ASCII is the same in all of them.
  return a.encoding === b.encoding || (!a.bom && (isAscii(a) || isAscii(b)));
}

/** How a text that is put together of `kept` and lines of `other` is written. */
export function shapeFor(
  kept: TextFile,
  other: TextFile | null,
): Pick<TextFile, 'encoding' | 'bom'> & { ending: '\n' | '\r\n' } {
  const plain = other !== null && !kept.bom && isAscii(kept);
  const { encoding, bom } = plain && !other.bom ? other : kept;
  const ending = kept.eol === 'none' && other !== null ? dominantEnding(other) : dominantEnding(kept);
  return { encoding, bom, ending };
}
