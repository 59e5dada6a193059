import { findByLines } from './by-lines';
import type { MatchStrategy } from './strategy';

const NON_ASCII = /[^\0-\x7f]/;

/** Quotes, dashes, spaces and the like that look alike; what the edit leaves alone keeps the file's characters. */
export const unicodeNormalised: MatchStrategy = {
  name: 'unicode-normalised',
  find: (source, sought) => {
    if (!NON_ASCII.test(sought.oldText) && !NON_ASCII.test(source.text)) return [];
    const same = findByLines(source, sought, { fold: 'unicode', indent: 'same' });
    return same.length > 0 ? same : findByLines(source, sought, { fold: 'unicode', indent: 'flexible' });
  },
};
