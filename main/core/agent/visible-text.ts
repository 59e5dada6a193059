import { hiddenCharacters } from '../approval/hidden-characters';

/** A text without characters that people can't see: the model must not read what its reviewers could not. */
export function visibleText(text: string): string {
  let shown = text;
  for (const { index, code } of hiddenCharacters(text).toReversed()) {
    const width = parseInt(code.slice(2), 16) > 0xffff ? 2 : 1;
    shown = shown.slice(0, index) + shown.slice(index + width);
  }
  return shown;
}
