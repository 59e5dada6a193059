/** What one tool result may take of the model's window (H13). */
export const RESULT_CAP_CHARS = 16_000;
const TAIL_SHARE = 0.3;
/** Room for the sentence that says what was cut. */
const STATEMENT_CHARS = 160;

/**
 * The last safety net: every tool cuts by its own strategy before. Keeps head and tail and says how much is missing.
 */
export function capResult(text: string): { text: string; cutChars: number } {
  if (text.length <= RESULT_CAP_CHARS) return { text, cutChars: 0 };
  const room = RESULT_CAP_CHARS - STATEMENT_CHARS;
  const tailStart = text.length - Math.floor(room * TAIL_SHARE);
  const head = wellFormed(text.slice(0, room - Math.floor(room * TAIL_SHARE)));
  const tail = wellFormed(text.slice(tailStart));
  const cutChars = text.length - head.length - tail.length;
  return {
    text: `${head}\n\n[${cutChars} characters were cut here. Ask for a smaller part to see them.]\n\n${tail}`,
    cutChars,
  };
}

/** A cut can fall between the two halves of a character; a lone half breaks JSON encoders of some providers. */
function wellFormed(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
