const CODE = /`([^`\n]+)`/g;
const EXTENSION =
  'd\\.ts|[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|css|scss|html?|vue|svelte|json|ya?ml|toml|md|sql|sh|txt|lock|xml|ini|cfg|env|svg|png';
const FILE =
  /^(?:[\w@.+-]+\/)*[\w@+-]*\.?[\w@+-]+\.[A-Za-z][\w]{0,9}$|^(?:[\w@.+-]+\/)+[\w@.+-]+$|^(?:Makefile|Dockerfile|LICENSE|README)$/;
const BARE_FILE = new RegExp(
  `(?<![\\w/\`.@-])((?:[\\w@+-]+\\/)*[\\w@+-]+\\.(?:${EXTENSION}))(?![\\w/])`,
  'g',
);
const KNOWN_END = new RegExp(`\\.(?:${EXTENSION})$`, 'i');
/** `a.b` in code may be a member of an object: it is a file when it ends like one. */
const MEMBER = /^[\w$]+\.[\w$]+$/;

/** A file named in a sentence, and where. */
interface Named {
  path: string;
  from: number;
  to: number;
}

const isFile = (word: string): boolean =>
  FILE.test(word) && !/^\d|\(\)$/.test(word) && (KNOWN_END.test(word) || !MEMBER.test(word));

/** Files named in a sentence, in order; `path:line` counts as the path. */
function namedIn(sentence: string): Named[] {
  const inCode = [...sentence.matchAll(CODE)].flatMap((match) => {
    const path = (match[1] ?? '').trim().replace(/:\d+(?:[-–:]\d+)?$/, '');
    return isFile(path) ? [{ path, from: match.index, to: match.index + match[0].length }] : [];
  });
  const blanked = sentence.replaceAll(CODE, (code) => ' '.repeat(code.length));
  const bare = [...blanked.matchAll(BARE_FILE)].map((match) => ({
    path: match[1] ?? '',
    from: match.index,
    to: match.index + match[0].length,
  }));
  return [...inCode, ...bare].sort((left, right) => left.from - right.from);
}

/** What joins the members of a list. */
const JOINT = /^[\s,&+]*(?:and|und|et|y|e|plus|as well as)?\s*$/i;

/** The run of files that are one list, from the one at `start` in the given direction. */
function listFrom(files: readonly Named[], start: number, sentence: string, step: 1 | -1): Named[] {
  const list = files.slice(start, start + 1);
  for (let at = start + step; at >= 0 && at < files.length; at += step) {
    const [left, right] = step === 1 ? [files[at - 1], files[at]] : [files[at], files[at + 1]];
    const next = files[at];
    if (!left || !right || !next || !JOINT.test(sentence.slice(left.to, right.from))) break;
    list.push(next);
  }
  return list;
}

/**
 * The files a sentence says something was done to: the list that follows the verb, else the one before it. Others only have
 * to do with it ("fixed `a.ts` so that `b.ts` compiles").
 */
export function objectFiles(sentence: string, verb: { from: number; to: number }): string[] {
  const files = namedIn(sentence);
  const after = files.findIndex(({ from }) => from >= verb.to);
  const before = files.findLastIndex(({ to }) => to <= verb.from);
  const list =
    after >= 0
      ? listFrom(files, after, sentence, 1)
      : before >= 0
        ? listFrom(files, before, sentence, -1)
        : files;
  const inOrder = list.toSorted((left, right) => left.from - right.from);
  return [...new Set(inOrder.map(({ path }) => path))];
}
