import type { Found, MatchStrategy } from './strategy';

/** The text itself, anywhere; the replacement goes in as it is. */
export const exact: MatchStrategy = {
  name: 'exact',
  find: ({ text }, { oldText, newText }) => {
    const found: Found[] = [];
    for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + oldText.length)) {
      found.push({ start: at, end: at + oldText.length, text: newText });
    }
    return found;
  },
};
