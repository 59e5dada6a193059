import type { EntryState } from '../../../../shared/model/change';
import { Groups } from './groups';
import { same, type Held, type LoadState } from './held';
import { mergeStates, type StateMerge } from './merge-states';
import { contentFlows, type Step } from './steps';

/** What a path holds now, or why it can't be touched. */
export type Now = { held: Held | null } | { refusal: string };

export interface FoldPort {
  now(path: string): Promise<Now>;
  load: LoadState;
  /** Where a later entry moved this path to; null when none did. */
  movedTo(path: string, afterSeq: number): string | null;
}

/** What a path holds after some steps, and at which path its content lies on the disk. */
export interface Place {
  held: Held | null;
  from: string;
  /** False once later changes were kept in a merge. */
  isExact: boolean;
}

/** The first step that could not be taken back in a group of paths. */
export interface Failure {
  kind: 'conflict' | 'not_kept';
  /** Where the file lies now. */
  path: string;
  why: string;
  base: EntryState | null;
  ours: Held | null;
  step: Step;
  /** What the undo alone would leave, without the later changes; worked out while the rest is folded. */
  wanted: { path: string; held: Held | null; isKnown: boolean };
}

/** Changes taken back in memory. */
export class Fold {
  /** What was there at the beginning, for every path that a step is about. */
  readonly before = new Map<string, Held | null>();
  readonly after = new Map<string, Place>();
  private readonly refusals = new Map<string, string>();
  private readonly aliases = new Map<string, string>();
  private readonly groups = new Groups();
  readonly failures: Failure[] = [];

  constructor(private readonly port: FoldPort) {}

  /** @param steps the last first */
  async takeBack(steps: readonly Step[]): Promise<void> {
    for (const [a, b] of contentFlows(steps)) this.groups.join(a, b);
    for (const step of steps) {
      if (step.source === null) await this.plain(step);
      else await this.move(step, step.source.path);
    }
  }

  failureOf(path: string): Failure | null {
    const group = this.groups.of(path);
    return this.failures.find((failure) => this.groups.of(failure.step.change.path) === group) ?? null;
  }

  /** The file that this path was about has another name now. */
  isElsewhere(path: string): boolean {
    return this.aliases.has(path);
  }

  private async plain(step: Step): Promise<void> {
    const { change } = step;
    const path = await this.findNow(step);
    const place = await this.place(path);
    const refusal = this.refusals.get(path);
    const merged: StateMerge =
      refusal === undefined
        ? await mergeStates(change.after, place.held, change.before, this.port.load)
        : { kind: 'conflict', why: refusal };
    if (merged.kind !== 'merged') return this.fail(step, path, place, merged);
    const isExact = place.isExact && merged.isExact;
    this.after.set(path, { held: merged.held, from: merged.held === null ? path : place.from, isExact });
  }

  /** The file goes back to where it came from, with what was made of it since. */
  private async move(step: Step, source: string): Promise<void> {
    const { change } = step;
    const former = step.source?.before ?? null;
    const target = await this.findNow(step);
    const [here, there] = [await this.place(target), await this.place(source)];
    const refusal = this.refusals.get(target) ?? this.refusals.get(source);
    if (same(there.held, former) && same(here.held, change.before)) return;
    if (refusal !== undefined) return this.fail(step, target, here, { kind: 'conflict', why: refusal });
    if (there.held !== null) {
      const why = `There is a file at \`${source}\` again.`;
      return this.fail(step, target, here, { kind: 'conflict', why });
    }
    const merged = await mergeStates(change.after, here.held, former, this.port.load);
    if (merged.kind !== 'merged') return this.fail(step, target, here, merged);
    const overwritten = change.before && (await this.port.load(change.before));
    if (change.before !== null && overwritten === null) {
      const why = 'What the move replaced is not kept.';
      return this.fail(step, target, here, { kind: 'not_kept', why });
    }
    const isExact = here.isExact && merged.isExact;
    for (const { wanted } of this.failures) if (wanted.path === target) wanted.path = source;
    this.after.set(source, { held: merged.held, from: here.from, isExact });
    this.after.set(target, { held: overwritten, from: target, isExact: true });
  }

  /** Where the file of a step is now: somebody may have renamed it since. */
  private async findNow({ set, change }: Step): Promise<string> {
    const { path } = change;
    const known = this.aliases.get(path) ?? path;
    const place = await this.place(known);
    // As the change left it, or as it was before: it is the file, whatever its name went through.
    if (change.after === null || this.refusals.has(known) || same(place.held, change.after)) return known;
    if (place.held !== null && same(place.held, change.before)) return known;
    const moved = this.port.movedTo(known, set.seq);
    if (moved === null || moved === known) return known;
    const there = await this.place(moved);
    if (there.held === null) return known;
    this.groups.join(path, moved);
    this.aliases.set(path, moved);
    return moved;
  }

  private async place(path: string): Promise<Place> {
    const known = this.after.get(path);
    if (known) return known;
    const now = await this.port.now(path);
    if ('refusal' in now) this.refusals.set(path, now.refusal);
    const held = 'held' in now ? now.held : null;
    const place = { held, from: path, isExact: true };
    this.before.set(path, held);
    this.after.set(path, place);
    return place;
  }

  /** Notes the first failure of a group, and goes on as if the later changes were not there. */
  private async fail(
    step: Step,
    path: string,
    place: Place,
    problem: Extract<StateMerge, { why: string }>,
  ): Promise<void> {
    const { change, source } = step;
    const theirs = source === null ? change.before : source.before;
    const home = source?.path ?? path;
    const held = theirs && (await this.port.load(theirs));
    const wanted = { path: home, held, isKnown: theirs === null || held !== null };
    const known = this.failureOf(change.path);
    if (known === null) {
      const { held: ours, from } = place;
      const at = ours === null ? path : from;
      this.failures.push({ ...problem, path: at, base: change.after, ours, step, wanted });
    } else if (known.wanted.path === path) {
      known.wanted = wanted;
    }
    if (home !== path) this.after.set(path, { held: null, from: path, isExact: false });
    this.after.set(home, { held, from: home, isExact: false });
  }

  /** What the failures' files would be without the later changes, once all steps are folded. */
  settle(): void {
    for (const failure of this.failures) {
      const { wanted } = failure;
      const place = this.after.get(this.aliases.get(wanted.path) ?? wanted.path);
      if (place && wanted.isKnown) wanted.held = place.held;
    }
  }
}
