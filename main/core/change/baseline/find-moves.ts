import type { Difference, Found } from './tree-entry';

/** Empty files and the like are alike without having been moved. */
const MIN_MOVED_BYTES = 1;

/** Recognises files that are gone from one path and lie at another: by inode, else by a content that only one pair has. */
export function withMoves(found: readonly Found[]): Difference[] {
  const gone = found.filter(({ before, after }) => before !== null && after === null);
  const made = found.filter(
    ({ before, after }) => before === null && (after?.sizeBytes ?? 0) >= MIN_MOVED_BYTES,
  );
  const byHash = groups(gone);
  const wanted = groups(made);
  const from = new Map<Found, string>();
  for (const each of made) {
    const sources = byHash.get(each.after?.hash ?? '') ?? [];
    const same = sources.find(({ inode }) => inode === each.inode);
    const only =
      sources.length === 1 && wanted.get(each.after?.hash ?? '')?.length === 1 ? sources[0] : undefined;
    const source = same ?? only;
    if (source !== undefined) from.set(each, source.path);
  }
  return found.map((each) => {
    const { path, before, after } = each;
    return { path, movedFrom: from.get(each) ?? null, before, after };
  });
}

function groups(found: readonly Found[]): Map<string, Found[]> {
  const byHash = new Map<string, Found[]>();
  for (const each of found) {
    const hash = (each.before ?? each.after)?.hash ?? '';
    const group = byHash.get(hash);
    if (group) group.push(each);
    else byHash.set(hash, [each]);
  }
  return byHash;
}
