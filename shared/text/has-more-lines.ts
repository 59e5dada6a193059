/** Whether a text has more line breaks than this; looks no further than it must. */
export function hasMoreLines(text: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}
