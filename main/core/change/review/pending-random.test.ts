import { expect, test } from 'vitest';
import { ChangeSet, PathChange, type EntryState } from '../../../../shared/model/change';
import { sha256 } from '../../workspace/workspace-files';
import { ContentTexts } from '../trace/content-texts';
import type { HistoryStep } from '../trace/path-history';
import { withHunks, withoutHunks } from './compose-text';
import { pendingFile, type PendingFile } from './pending-file';
import type { ReviewStart } from './review-start';
import { standingOf } from './standing';

/** Mulberry32: the same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const contents = new Map<string, Buffer>();
const texts = new ContentTexts({ load: (hash) => Promise.resolve(contents.get(hash) ?? null) });

function stateOf(lines: readonly string[]): EntryState {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const hash = sha256(bytes) as EntryState['hash'];
  contents.set(hash, bytes);
  return { kind: 'file', hash, mode: 0o644, sizeBytes: bytes.length, isKept: true };
}

/** A file that an agent and a person change in turn; each writes lines that bear their sign. */
function story(seed: number) {
  const random = numbers(seed);
  let lines = Array.from({ length: 12 }, (_, at) => (at % 5 === 4 ? '}' : `base ${at}`)).filter(
    (line) => seed % 3 > 0 || line !== '}',
  );
  const steps: HistoryStep[] = [];
  for (let seq = 1; seq <= 2 + random(8); seq += 1) {
    const isAgent = random(2) === 0;
    const before = stateOf(lines);
    const at = random(lines.length + 1);
    const added = Array.from({ length: random(3) }, (_, line) =>
      seed % 3 > 0 && random(6) === 0 ? '}' : `${isAgent ? 'agent' : 'user'} ${seq} ${line}`,
    );
    lines = [...lines.slice(0, at), ...added, ...lines.slice(at + random(3))];
    const change = PathChange.parse({ path: 'a.txt', before, after: stateOf(lines) });
    const call = { sessionId: 's', turnId: `t${seq}`, callId: `c${seq}` };
    const author = isAgent ? { kind: 'agent', ...call } : { kind: 'user' };
    const set = ChangeSet.parse({
      id: `set${seq}`,
      seq,
      at: seq,
      author,
      label: '',
      changes: [change],
      undoneBy: null,
    });
    steps.push({ path: 'a.txt', set, change, before, after: change.after, isReviewed: false });
  }
  return { steps, lines, random };
}

function startOf(steps: readonly HistoryStep[]): ReviewStart | null {
  const from = steps.findIndex(standingOf(steps, 0).waits);
  return from === -1 ? null : { from, base: steps[from]?.before ?? null, foldFrom: from, record: null };
}

const look = (
  steps: HistoryStep[],
  start: ReviewStart,
  lines: readonly string[],
): Promise<PendingFile | null> => {
  const state = stateOf(lines);
  return pendingFile({
    path: 'a.txt',
    steps,
    start,
    present: { state, bytes: contents.get(state.hash) ?? null },
    texts,
  });
};

const split = (bytes: Buffer): string[] => bytes.toString().split('\n').slice(0, -1);
const ofUser = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith('user'));
const baseOf = ({ lines }: PendingFile): string[] =>
  (lines?.base ?? []).map((id) => lines?.history.keyOf(id).split('\n')[0] ?? '');

test('whatever agents and people do by turns, hunks lead from the base to the file, and no line of a person is lost', async () => {
  let [looked, mixed, plain] = [0, 0, 0];
  for (let seed = 1; seed <= 600; seed += 1) {
    const { steps, lines, random } = story(seed);
    const start = startOf(steps);
    const file = start && (await look(steps, start, lines));
    if (start === null || !file?.lines) continue;
    looked += 1;
    const { hunks, lines: pending } = file;
    const text = (list: readonly string[]): string => list.map((line) => `${line}\n`).join('');
    expect((await withHunks(file, pending, hunks)).toString(), `seed ${seed}`).toBe(text(lines));
    expect((await withoutHunks(file, pending, hunks, null)).toString(), `seed ${seed}`).toBe(
      text(baseOf(file)),
    );
    const certain = hunks.filter(({ isMixed }) => !isMixed);
    [mixed, plain] = [mixed + hunks.length - certain.length, plain + certain.length];
    for (const { change } of certain) {
      expect(ofUser(lines.slice(change[2], change[3])), `seed ${seed}`).toEqual([]);
    }
    const rejected = split(await withoutHunks(file, pending, certain, null));
    expect(ofUser(rejected), `seed ${seed}`).toEqual(expect.arrayContaining(ofUser(lines)));
    // Accepting some leaves the others.
    const some = hunks.filter(() => random(2) === 0);
    if (some.length === 0 || some.length === hunks.length) continue;
    const accepted = split(await withHunks(file, pending, some));
    const record = { path: 'a.txt', seq: steps[start.from - 1]?.set.seq ?? 0, hash: stateOf(accepted).hash };
    const next: ReviewStart = { from: start.from, base: stateOf(accepted), foldFrom: steps.length, record };
    const left = await look(steps, next, lines);
    expect(left && baseOf(left), `seed ${seed}`).toEqual(accepted);
    // Lines that are there many times may be told as another hunk than before.
    if (lines.includes('}')) expect(left?.hunks).not.toEqual([]);
    else
      expect(left?.hunks.map(({ id }) => id)).toEqual(
        hunks.filter((hunk) => !some.includes(hunk)).map(({ id }) => id),
      );
    // What a person does next is no part of what waits.
    const at = random(lines.length + 1);
    const later = [...lines.slice(0, at), 'user later', ...lines.slice(at)];
    const after = await look(steps, next, later);
    const mine = after?.hunks.filter(({ isMixed }) => !isMixed) ?? [];
    for (const { change } of mine) expect(later.slice(change[2], change[3])).not.toContain('user later');
  }
  expect(looked).toBeGreaterThan(300);
  console.log(`${looked} stories: ${plain} hunks of agents alone, ${mixed} mixed`);
});
