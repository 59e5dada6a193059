import type { EntryState } from '../../../../shared/model/change';
import type { TextFile } from '../../edit/text-codec';
import type { ContentTexts } from '../trace/content-texts';
import type { LineHistory } from '../trace/line-history';
import { fileVersions, stepVersions, type HistoryStep, type StepVersion } from '../trace/path-history';
import { followLines } from '../trace/trace-lines';
import { BaseLines } from './base-lines';
import type { Present } from './present-file';
import { findHunks, HunkIds, type PendingHunk } from './review-hunks';
import type { ReviewStart } from './review-start';
import { sameShape } from './shape';
import { standingOf, type Standing } from './standing';

/** The texts of a pending file, line by line. */
export interface PendingLines {
  history: LineHistory<HistoryStep>;
  base: readonly number[];
  current: Int32Array;
  /** The version that has a line with its own line ending. */
  textOfVersion(version: number): TextFile | null;
  /** The content that the base began with. */
  baseFile: TextFile | null;
  currentFile: TextFile | null;
  /** Nothing that people changed since is in the base: its bytes are those it began with. */
  isBaseExact: boolean;
  /** Who changed line endings, encoding or byte order mark since. */
  reshaped: { byAgents: boolean; byPeople: boolean };
}

/** What waits for review in one file. */
export interface PendingFile {
  path: string;
  movedFrom: string | null;
  /** All paths that the file had since its review began. */
  formerPaths: string[];
  /** What it would be without what waits; null: no file. Its hash holds only while the base is exact. */
  base: EntryState | null;
  present: Present | null;
  /** Null when one of the sides is no text: the file is reviewed as a whole then. */
  lines: PendingLines | null;
  hunks: PendingHunk[];
  /** Steps of agents that wait. */
  agents: HistoryStep[];
  /** The whole file waits, though no hunk tells of it: permissions, line endings, encoding, something that is no text. */
  isWhole: boolean;
  /** Hashes of contents of the file that are kept. */
  kept: ReadonlySet<string>;
  /** The newest entry of the log about it. */
  lastSeq: number;
}

export interface PendingInput {
  path: string;
  steps: readonly HistoryStep[];
  start: ReviewStart;
  present: Present | null;
  texts: ContentTexts;
}

/** Works out what of a file waits for review; null when nothing does. */
export async function pendingFile(input: PendingInput): Promise<PendingFile | null> {
  const { path, steps, start, present } = input;
  const standing = standingOf(steps, start.from);
  const open = steps.slice(start.from);
  const agents = [...new Set(open.flatMap((step) => standing.agentsOf(step)))];
  if (agents.length === 0) return null;
  const fold = foldFacts(open, standing, start.base, steps.slice(start.foldFrom));
  const base = fold.base;
  if (base === null && present === null) return null;
  // Somebody deleted it, and the log has not heard of it yet.
  if (present === null && steps.at(-1)?.after !== null) return null;
  if (base?.kind === 'folder' || present?.state.kind === 'folder') return null;
  const move = open.some((step) => step.change.movedFrom !== null && standing.waits(step));
  const origin = open[0]?.change.movedFrom ?? open[0]?.path ?? path;
  const movedFrom = move && base !== null && origin !== path ? origin : null;
  const common = {
    path,
    movedFrom,
    base,
    present,
    agents,
    lastSeq: steps.at(-1)?.set.seq ?? 0,
    kept: keptOf(steps),
  };
  const formerPaths = [...new Set([origin, ...open.map((step) => step.path)])].filter(
    (each) => each !== path,
  );
  const lines = await pendingLines(input, standing, base);
  const modeWaits = base !== null && present !== null && fold.modeWaits && base.mode !== present.state.mode;
  if (lines === null) {
    const isSame = base?.hash === present?.state.hash && base?.kind === present?.state.kind;
    const isWhole = !isSame || modeWaits || movedFrom !== null;
    return isWhole ? { ...common, formerPaths, lines, hunks: [], isWhole } : null;
  }
  const { found, hunks } = lines;
  const exists = (base === null) === (present === null);
  const isWhole = hunks.length === 0 && (!exists || modeWaits || movedFrom !== null || shapeWaits(found));
  return isWhole || hunks.length > 0 ? { ...common, formerPaths, lines: found, hunks, isWhole } : null;
}

const keptOf = (steps: readonly HistoryStep[]): Set<string> =>
  new Set(
    steps
      .flatMap(({ before, after }) => [before, after])
      .flatMap((state) => (state?.isKept === true ? [state.hash] : [])),
  );

/** Existence and permissions of the base once people's changes are in it. */
function foldFacts(
  open: readonly HistoryStep[],
  standing: Standing,
  start: EntryState | null,
  toFold: readonly HistoryStep[],
): { base: EntryState | null; modeWaits: boolean } {
  let base = start;
  let modeWaits = false;
  for (const step of open) {
    const { before, after } = step;
    const isModeChange = before !== null && after !== null && before.mode !== after.mode;
    if (standing.waits(step)) modeWaits ||= isModeChange;
    else if (toFold.includes(step)) {
      if (after === null) base = null;
      else if (base === null && before === null) base = after;
      else if (base !== null && isModeChange) base = { ...base, mode: after.mode };
    }
  }
  return { base, modeWaits };
}

/** Whether agents changed line endings, encoding or byte order mark: no line tells of that. */
const shapeWaits = ({ baseFile, currentFile, reshaped }: PendingLines): boolean =>
  baseFile !== null && currentFile !== null && reshaped.byAgents && !sameShape(baseFile, currentFile);

function reshapedBy(
  versions: readonly StepVersion[],
  from: number,
  standing: Standing,
  textOf: (version: number) => TextFile | null,
): PendingLines['reshaped'] {
  const reshaped = { byAgents: false, byPeople: false };
  for (let at = from + 1; at < versions.length; at += 1) {
    const [before, after] = [textOf(at - 1), textOf(at)];
    if (before === null || after === null || sameShape(before, after)) continue;
    const step = versions[at]?.step ?? null;
    reshaped[step !== null && standing.waits(step) ? 'byAgents' : 'byPeople'] = true;
  }
  return reshaped;
}

/** The lines of both sides and the hunks between them; null when one of them is no text or not kept. */
async function pendingLines(
  { path, steps, start, present, texts }: PendingInput,
  standing: Standing,
  base: EntryState | null,
): Promise<{ found: PendingLines; hunks: PendingHunk[] } | null> {
  const currentFile = present && (await presentText(present, path, texts));
  const baseFile = start.base && (await texts.of(start.base, path));
  if (
    (present !== null && currentFile === null) ||
    (base !== null && start.base !== null && baseFile === null)
  )
    return null;
  const versions = withPresent(stepVersions(steps), present);
  const known = await knownTexts(versions, path, texts);
  const history = await followLines(fileVersions(versions, ({ hash }) => known.get(hash)?.text));
  const current = history.idsOf(versions.length - 1);
  if (current === null) return null;
  const last = (before: number): number => {
    const next = versions.findIndex(({ step }) => step !== null && steps.indexOf(step) >= before);
    return next === -1 ? lastOfSteps(versions) : next - 1;
  };
  const foldFrom = last(start.foldFrom);
  const ids = baseIds(history, versions, foldFrom, start, baseFile);
  if (ids === null) return null;
  const folded = base === null ? [] : fold(history, versions, foldFrom, ids, standing);
  const { lines, hunks } = settle(history, folded, current, standing, [
    ...new Set(steps.slice(start.from).flatMap((step) => standing.agentsOf(step))),
  ]);
  const isBaseExact = base !== null && start.base !== null && sameIds(lines, ids);
  const textOfVersion = (version: number): TextFile | null =>
    known.get(versions[version]?.state?.hash ?? '') ?? null;
  return {
    found: {
      ...{ history, base: lines, current, textOfVersion, baseFile, currentFile, isBaseExact },
      reshaped: reshapedBy(versions, foldFrom, standing, textOfVersion),
    },
    hunks,
  };
}

const sameIds = (a: readonly number[], b: ArrayLike<number>): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);

const presentText = (
  { state, bytes }: Present,
  path: string,
  texts: ContentTexts,
): Promise<TextFile | null> =>
  state.kind === 'file' && bytes !== null ? texts.ofBytes(bytes, state.hash, path) : Promise.resolve(null);

function withPresent(versions: readonly StepVersion[], present: Present | null): StepVersion[] {
  const isThere =
    versions.length > 0 && (versions.at(-1)?.state?.hash ?? null) === (present?.state.hash ?? null);
  return isThere ? [...versions] : [...versions, { state: present?.state ?? null, step: null }];
}

/** The last version that the log made. */
const lastOfSteps = (versions: readonly StepVersion[]): number => {
  const last = versions.findLastIndex(({ step }) => step !== null);
  return last === -1 ? 0 : last;
};

async function knownTexts(
  versions: readonly StepVersion[],
  path: string,
  texts: ContentTexts,
): Promise<Map<string, TextFile>> {
  const known = new Map<string, TextFile>();
  for (const { state } of versions) {
    if (state === null || known.has(state.hash)) continue;
    const file = await texts.of(state, path);
    if (file !== null) known.set(state.hash, file);
  }
  return known;
}

/** Numbers of the lines that the base began with. */
function baseIds(
  history: LineHistory<HistoryStep>,
  versions: readonly StepVersion[],
  at: number,
  start: ReviewStart,
  baseFile: TextFile | null,
): Int32Array | null {
  if (start.base === null) return new Int32Array(0);
  if (versions[at]?.state?.hash === start.base.hash) return history.idsOf(at);
  if (baseFile === null) return null;
  const others = Array.from({ length: versions.length }, (_, version) => version).reverse();
  const earlier = others.filter((version) => version < at);
  return history.identify(baseFile.text, [at, ...earlier, ...others.filter((version) => version > at)]);
}

/** What people and other programs did after the base began, put into it. */
function fold(
  history: LineHistory<HistoryStep>,
  versions: readonly StepVersion[],
  from: number,
  ids: Int32Array,
  standing: Standing,
): readonly number[] {
  const base = new BaseLines(ids);
  let before = history.idsOf(from);
  let waited = false;
  for (let at = from + 1; at < versions.length; at += 1) {
    const step = versions[at]?.step ?? null;
    waited ||= step !== null && standing.waits(step);
    const after = history.idsOf(at);
    // What lies between two known contents counts as an agent's when an agent had a part in it.
    if (after === null) continue;
    if (before !== null && !waited) base.fold(before, after);
    before = after;
    waited = false;
  }
  return base.ids;
}

/** The hunks that wait. What is people's alone is put into the base after all, wherever it stands. */
function settle(
  history: LineHistory<HistoryStep>,
  folded: readonly number[],
  current: Int32Array,
  standing: Standing,
  agents: HistoryStep[],
): { lines: readonly number[]; hunks: PendingHunk[] } {
  const found = findHunks(history, folded, current, standing);
  const waits = ({ wrote }: (typeof found)[number]): boolean =>
    wrote.agents.size > 0 || wrote.isUnknown || !wrote.isMixed;
  const lines: number[] = [];
  const hunks: PendingHunk[] = [];
  const ids = new HunkIds();
  let at = 0;
  for (const each of found) {
    const [oldStart, oldEnd, newStart, newEnd] = each.change;
    for (const id of folded.slice(at, oldStart)) lines.push(id);
    const start = lines.length;
    const [oldIds, newIds] = [folded.slice(oldStart, oldEnd), [...current.subarray(newStart, newEnd)]];
    for (const id of waits(each) ? oldIds : newIds) lines.push(id);
    at = oldEnd;
    if (!waits(each)) continue;
    const texts = (list: readonly number[]): string[] => list.map((id) => history.keyOf(id));
    hunks.push({
      id: ids.next(texts(oldIds), texts(newIds)),
      change: [start, lines.length, newStart, newEnd],
      agents: each.wrote.agents.size > 0 ? [...each.wrote.agents] : agents,
      isMixed: each.wrote.isMixed,
    });
  }
  for (const id of folded.slice(at)) lines.push(id);
  return { lines, hunks };
}
