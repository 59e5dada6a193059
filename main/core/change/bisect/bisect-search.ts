import type { BisectProgress } from '../../../../shared/contract/changes';
import type { ChangeSet } from '../../../../shared/model/change';
import type { BisectRunner } from './bisect-run';
import { turnName, type TurnGroup } from './candidates';
import { partsOf, type HunkUnit } from './hunk-units';
import { firstFailing, Judge, type Point } from './judge';
import { stateOf, type FormerStates, type ProjectState } from './states';

type Result = Extract<BisectProgress, { kind: 'found' | 'nothing' }>;

interface Found {
  group: TurnGroup;
  set: ChangeSet;
  unit: HunkUnit | null;
  /** The unit makes the test fail without the rest of its entry. */
  isAlone: boolean;
  unknown: string[];
}

/** Looks for the turn, then the entry, then the hunk from which on a test fails. */
export class BisectSearch {
  private readonly judge: Judge;
  private readonly sets: ChangeSet[];

  constructor(
    private readonly groups: readonly TurnGroup[],
    private readonly states: FormerStates,
    private readonly runner: BisectRunner,
  ) {
    this.judge = new Judge((state, label) => runner.passes(state, label));
    this.sets = groups.flatMap(({ sets }) => sets);
  }

  async run(): Promise<Result> {
    const [start, present] = [await this.states.without(this.sets), stateOf(new Map())];
    this.expect(this.groups.length, 2);
    const wrong = await this.checkEnds(start, present);
    if (wrong !== null) return this.nothing(wrong);
    const group = await this.findTurn(start, present);
    const set = await this.findSet(group);
    return this.found(await this.findHunk(group, set));
  }

  /** More runs are to come: by halving so many candidates, and some. */
  private expect(candidates: number, more: number): void {
    this.runner.most = this.runner.runs + more + Math.ceil(Math.log2(Math.max(1, candidates)));
  }

  /** @returns why there is nothing to search for; null when the present fails and the start passes */
  private async checkEnds(start: ProjectState, present: ProjectState): Promise<string | null> {
    if (await this.surely(present, 'as it is now', true))
      return 'The command succeeds as the project is now: there is nothing to look for.';
    if (this.runner.isMissing) return `The command could not be run in the copy. ${this.lastWords()}`;
    if (!(await this.surely(start, 'before all changes', false)))
      return (
        'The command fails before the first of these changes as well, so none of them is to blame, or it fails in a copy ' +
        `of the project for another reason (ignored files and the network may be missing there). ${this.lastWords()}`
      );
    return null;
  }

  /** A result that would end the search is tried once more. */
  private async surely(state: ProjectState, label: string, doubted: boolean): Promise<boolean> {
    const passed = await this.judge.passes(state, label);
    if (passed !== doubted || this.runner.isMissing) return passed;
    return (await this.judge.confirm(state, label)) ? passed : await this.judge.passes(state, label);
  }

  private lastWords(): string {
    const lines = this.runner.output.trim().split('\n').slice(-5).join('\n');
    return lines === '' ? 'It said nothing.' : `It ended with:\n${lines}`;
  }

  private async findTurn(start: ProjectState, present: ProjectState): Promise<TurnGroup> {
    const points: Point[] = [
      { label: 'before all changes', state: () => Promise.resolve(start) },
      ...this.groups.map((group, at) => ({
        label: `after ${turnName(group)}`,
        state: () =>
          at === this.groups.length - 1
            ? Promise.resolve(present)
            : this.states.without(this.groups.slice(at + 1).flatMap(({ sets }) => sets)),
      })),
    ];
    const found = await firstFailing(points, this.judge, true);
    return this.groups[found - 1] as TurnGroup;
  }

  /** The project right after an entry. */
  private after(set: ChangeSet | undefined): Promise<ProjectState> {
    const at = set === undefined ? -1 : this.sets.indexOf(set);
    return this.states.without(this.sets.slice(at + 1));
  }

  private before(set: ChangeSet): ChangeSet | undefined {
    return this.sets[this.sets.indexOf(set) - 1];
  }

  private async findSet(group: TurnGroup): Promise<ChangeSet> {
    const { sets } = group;
    this.expect(sets.length, 2);
    const first = sets[0] as ChangeSet;
    const name = turnName(group);
    const points: Point[] = [
      { label: `before ${name}`, state: () => this.after(this.before(first)) },
      ...sets.map((set) => ({ label: `in ${name}: ${set.label}`, state: () => this.after(set) })),
    ];
    return sets[(await firstFailing(points, this.judge, false)) - 1] as ChangeSet;
  }

  private async findHunk(group: TurnGroup, set: ChangeSet): Promise<Found> {
    const [before, after] = [await this.after(this.before(set)), await this.after(set)];
    const unknown = [...new Set([...before.unknown, ...after.unknown])];
    const parts = await partsOf(set, before.overlay, after.overlay, (path) => this.states.present(path));
    const { units } = parts;
    const [only] = units;
    if (only === undefined || units.length === 1)
      return { group, set, unit: only ?? null, isAlone: true, unknown };
    this.expect(units.length, 1);
    const points: Point[] = Array.from({ length: units.length + 1 }, (_, count) => ({
      label: `${set.label}: ${count} of ${units.length} parts`,
      state: async () =>
        count === units.length ? after : count === 0 ? before : stateOf(await parts.with(count)),
    }));
    const at = (await firstFailing(points, this.judge, false)) - 1;
    const alone = at === 0 ? after : stateOf(await parts.only(at));
    const isAlone = at === 0 || !(await this.judge.passes(alone, `${set.label}: part ${at + 1} alone`));
    return { group, set, unit: units[at] ?? null, isAlone, unknown };
  }

  private nothing(why: string): Result {
    return { kind: 'nothing', why, runs: this.runner.runs };
  }

  private found({ group, set, unit, isAlone, unknown }: Found): Result {
    const { turn } = group;
    const request = turn === null ? '' : ` (“${turn.request}”)`;
    const shown = unit?.hunk?.shown;
    const line = shown?.lines.find(({ kind }) => kind === 'add')?.newLine ?? shown?.newStart;
    const place = unit === null ? '' : `, in \`${unit.path}\`${line === undefined ? '' : ` at line ${line}`}`;
    const name = turnName(group);
    const notes = [
      `${name.charAt(0).toUpperCase()}${name.slice(1)}${request} made the command fail: ${set.label}${place}.`,
      ...(isAlone ? [] : ['That part fails only together with others of the same change.']),
      ...(this.judge.isFlaky
        ? ['The command gave different results for the same state; two of three runs counted.']
        : []),
      ...(unknown.length === 0
        ? []
        : [
            `Former contents that are not kept were left as they are now: ${unknown.slice(0, 5).join(', ')}.`,
          ]),
    ];
    return {
      ...{ kind: 'found', set, path: unit?.path ?? null },
      ...{ hunkId: unit?.hunk?.id ?? null, summary: notes.map(onOneLine).join('\n'), runs: this.runner.runs },
      ...(shown === undefined ? {} : { hunk: shown }),
      ...(turn === null ? {} : { turn }),
    };
  }
}

const onOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');
