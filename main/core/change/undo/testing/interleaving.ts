import { readdir } from 'node:fs/promises';
import type { ChangeSet, UndoResult } from '../../../../../shared/model/change';
import { Groups } from '../groups';
import type { Held } from '../held';
import { Random } from './random';
import type { Actor, Deed, Turn, UndoDesk } from './undo-desk';

const PATHS = ['a.txt', 'b.txt', 'lib/c.txt', 'lib/deep/d.txt', 'crlf.txt', 'bom.txt', 'bin.dat', 'link'];
const PLACES = [...PATHS, 'moved/one.txt', 'moved/two.txt', 'e.txt'];
/** Turns that are undone lie this far back at most: old ones meet too much. */
const RECENT_TURNS = 12;
const MAX_LINES = 40;

type Disk = Map<string, Held>;
type Counts = Record<string, number>;

const tokensIn = (disk: Disk, prefix: string): Set<string> => {
  const found = new Set<string>();
  for (const { bytes } of disk.values())
    for (const [token] of bytes.toString('latin1').matchAll(/[a-z]+-\d+(?:-\d+)?;/g))
      if (token.startsWith(prefix)) found.add(token);
  return found;
};

const missing = (from: ReadonlySet<string>, to: ReadonlySet<string>): string[] =>
  [...from].filter((token) => !to.has(token));

/** Random agents, commands, users and other programs on one folder, with undo and redo in between. */
export class Interleaving {
  readonly counts: Counts = {};
  private readonly random: Random;
  private turns: { turn: Turn; number: number; sets: ChangeSet[] }[] = [];
  /** Undos that can be redone, with the user's lines that each brought back. */
  private undos: { setId: string; gained: Set<string> }[] = [];
  private readonly lineage = new Groups();
  private readonly moved = new Set<string>();
  private numbers = 0;
  private trail: string[] = [];

  constructor(
    private readonly desk: UndoDesk,
    private readonly seed: number,
  ) {
    this.random = new Random(seed);
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      try {
        await this.step();
      } catch (error) {
        const trail = this.trail.slice(-12).join('\n');
        throw new Error(`seed ${this.seed}, step ${step}:\n${trail}`, { cause: error });
      }
    }
  }

  private async step(): Promise<void> {
    const roll = this.random.next();
    if (this.turns.length < 3 || roll < 0.35) return await this.agentTurn();
    if (roll < 0.6) return await this.userSave();
    if (roll < 0.68) return await this.outside();
    if (roll < 0.88) return await this.undoTurn();
    if (roll < 0.97 && this.undos.length > 0) return await this.redo();
    return await this.settleConflicts();
  }

  private noteMove(from: string, to: string): void {
    this.lineage.join(from, to);
    this.moved.add(from).add(to);
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  private token(kind: string): string {
    this.numbers += 1;
    return `${kind}-${this.numbers};`;
  }

  private async disk(): Promise<Disk> {
    const disk: Disk = new Map();
    for (const name of await readdir(this.desk.root, { recursive: true })) {
      const held = await this.desk.look(name);
      if (held !== null && held.kind !== 'folder') disk.set(name, held);
    }
    return disk;
  }

  /** One to three calls of an agent, each with one or two paths. */
  private async agentTurn(): Promise<void> {
    if (this.numbers % 400 === 0) this.turns = [];
    const turn = this.desk.begin();
    this.numbers += 1;
    const entry = { turn, number: this.numbers, sets: [] as ChangeSet[] };
    for (let calls = 1 + this.random.below(3); calls > 0; calls -= 1) {
      const isCommand = this.random.chance(0.35);
      const disk = await this.disk();
      const deeds: Record<string, Deed> = {};
      for (let paths = 1 + this.random.below(2); paths > 0; paths -= 1) {
        const path = this.random.pick(isCommand ? PLACES : [...disk.keys(), ...PATHS]);
        const deed = this.agentDeed(path, disk, deeds, entry.number, isCommand);
        if (deed !== undefined) deeds[path] = deed;
      }
      if (Object.keys(deeds).length === 0) continue;
      const actor: Actor = isCommand ? { turn, command: 'sh x.sh' } : { turn };
      const set = await this.act(actor, deeds);
      if (set !== null) entry.sets.push(set);
    }
    if (entry.sets.length > 0) this.turns.push(entry);
  }

  private agentDeed(
    path: string,
    disk: Disk,
    others: Record<string, Deed>,
    turn: number,
    isCommand: boolean,
  ): Deed | undefined {
    const held = disk.get(path);
    const line = (): string => `${this.token(`agent-${turn}`)} done`;
    if (path in others || Object.values(others).some((deed) => isMoveTo(deed, path))) return undefined;
    if (isCommand && path === 'link') return { link: this.random.pick(PATHS.slice(0, 3)) };
    if (held === undefined) return `${line()}\n${line()}\n${line()}\n`;
    if (held.kind !== 'file') return isCommand ? null : undefined;
    const roll = this.random.next();
    if (isCommand && roll < 0.2) return { mode: this.random.pick([0o644, 0o755, 0o600, 0o444]) };
    if (roll < 0.1) return null;
    if (roll < 0.25) return this.moveOf(path, held, disk, others, line);
    if (path === 'bin.dat') return Buffer.concat([Buffer.from([0, this.numbers % 256]), Buffer.from(line())]);
    return this.edited(held.bytes.toString(), line, () => true);
  }

  private moveOf(
    path: string,
    held: Held,
    disk: Disk,
    others: Record<string, Deed>,
    line: () => string,
  ): Deed | undefined {
    const free = PLACES.filter((place) => !disk.has(place) && !(place in others) && place !== 'link');
    if (free.length === 0) return undefined;
    const moveTo = this.random.pick(free);
    this.noteMove(path, moveTo);
    return this.random.chance(0.5) && path !== 'bin.dat'
      ? { moveTo, text: this.edited(held.bytes.toString(), line, () => true) }
      : { moveTo };
  }

  /** A text with a line put in, changed or taken out; `mayGo` says which lines the actor may touch. */
  private edited(text: string, line: () => string, mayGo: (line: string) => boolean): string {
    const ending = text.includes('\r\n') ? '\r\n' : '\n';
    const lines = text.split(ending);
    const at = this.random.below(lines.length);
    const isFree = mayGo(lines[at] ?? '');
    const roll = this.random.next();
    if (lines.length > MAX_LINES || (roll < 0.25 && isFree)) {
      const victim = isFree ? at : lines.findIndex((each) => mayGo(each));
      if (victim !== -1) lines.splice(victim, 1);
    } else if (roll < 0.5 && isFree) lines[at] = line();
    else lines.splice(at, 0, line());
    if (this.random.chance(0.05)) lines.push(line());
    return lines.join(ending);
  }

  private async act(
    actor: Actor,
    deeds: Record<string, Deed>,
    unrecorded = false,
  ): Promise<ChangeSet | null> {
    const who = typeof actor === 'string' ? actor : actor.command === undefined ? 'agent' : 'command';
    this.trail.push(`${who}${unrecorded ? ' (unrecorded)' : ''}: ${JSON.stringify(deeds).slice(0, 200)}`);
    this.count(who);
    return await this.desk.act(actor, deeds, { unrecorded });
  }

  /** The user writes lines of their own, and takes away only such lines and empty ones. */
  private async userSave(): Promise<void> {
    const disk = await this.disk();
    const files = [...disk].filter(([path, { kind }]) => kind === 'file' && path !== 'bin.dat');
    const own = (): string => `${this.token('user')} mine`;
    if (files.length === 0 || this.random.chance(0.1)) {
      const path = this.random.pick(PATHS.slice(0, 6));
      if (!disk.has(path)) await this.act('user', { [path]: `${own()}\n` });
      return;
    }
    const [path, held] = this.random.pick(files);
    if (this.random.chance(0.06)) {
      const moveTo = this.random.pick(PLACES);
      if (disk.has(moveTo) || moveTo === 'link') return;
      this.noteMove(path, moveTo);
      await this.act('user', { [path]: { moveTo } });
      return;
    }
    const text = this.edited(held.bytes.toString(), own, (line) => line === '' || line.startsWith('agent'));
    await this.act('user', { [path]: text });
  }

  /** Another program, seen by the log or not. */
  private async outside(): Promise<void> {
    const files = [...(await this.disk())].filter(
      ([path, { kind }]) => kind === 'file' && path !== 'bin.dat',
    );
    if (files.length === 0) return;
    const [path, held] = this.random.pick(files);
    const line = (): string => `${this.token('user')} from outside`;
    const text = this.edited(held.bytes.toString(), line, (each) => each === '');
    await this.act('outside', { [path]: text }, this.random.chance(0.5));
  }

  private async undoTurn(): Promise<void> {
    const { undo } = this.desk.core.changes;
    const chosen = this.random.pick(this.turns.slice(-RECENT_TURNS));
    const { sessionId, turnId } = chosen.turn;
    const target = { kind: 'turn' as const, sessionId, turnId };
    const { store } = this.desk.core.changes;
    const open = chosen.sets.filter(({ id }) => store.get(id)?.undoneBy === null);
    if (open.length === 0) return;
    const before = await this.disk();
    const result = await undo.undo(target);
    const after = await this.disk();
    this.count('undo');
    this.trail.push(`undo of turn ${chosen.number}: ${JSON.stringify(result.files)}`);
    this.checkOutcome(result, before, after);
    this.checkInverse({ ...chosen, sets: open }, open.length === chosen.sets.length, result, after);
    const lost = missing(tokensIn(before, 'user'), tokensIn(after, 'user'));
    if (lost.length > 0) throw new Error(`the undo lost lines of the user: ${lost.join(' ')}`);
    if (result.setId === null) return;
    const gained = new Set(missing(tokensIn(after, 'user'), tokensIn(before, 'user')));
    if (this.random.chance(0.5)) {
      this.undos.push({ setId: result.setId, gained });
      return;
    }
    this.trail.push('redo at once');
    this.count('redo at once');
    const redone = await undo.redo(result.setId);
    requireSame(before, await this.disk(), 'undo and redo at once');
    if (redone.conflicts.length > 0) throw new Error('a redo at once met a conflict');
  }

  private async redo(): Promise<void> {
    const { undo, store } = this.desk.core.changes;
    const at = this.random.below(this.undos.length);
    const [chosen] = this.undos.splice(at, 1);
    if (chosen === undefined || store.get(chosen.setId)?.undoneBy !== null) return;
    const before = await this.disk();
    const result = await undo.redo(chosen.setId);
    const after = await this.disk();
    this.count('redo');
    this.trail.push(`redo: ${JSON.stringify(result.files)}`);
    this.checkOutcome(result, before, after);
    const lost = missing(tokensIn(before, 'user'), tokensIn(after, 'user'));
    const wrong = lost.filter((token) => !chosen.gained.has(token));
    if (wrong.length > 0) throw new Error(`the redo lost lines of the user: ${wrong.join(' ')}`);
  }

  /** Keeps, drops or resolves what is in conflict; a resolved one is given what is there already. */
  private async settleConflicts(): Promise<void> {
    const { undo } = this.desk.core.changes;
    const conflicts = this.openConflicts.splice(0, 3);
    for (const id of conflicts) {
      const view = await undo.conflict(id).catch(() => null);
      if (view === null) continue;
      if (view.isBinary || view.current === null || this.random.chance(0.5)) undo.dropConflict(id);
      else {
        const before = await this.disk();
        await undo.resolve(id, view.current, view.currentHash);
        const lost = missing(tokensIn(before, 'user'), tokensIn(await this.disk(), 'user'));
        if (lost.length > 0) throw new Error(`resolving lost lines of the user: ${lost.join(' ')}`);
      }
      this.count('settled');
    }
  }

  private openConflicts: string[] = [];

  /** Of a file in conflict nothing is written, and it can be looked at. */
  private checkOutcome(result: UndoResult, before: Disk, after: Disk): void {
    this.openConflicts.push(...result.conflicts.map(({ id }) => id));
    for (const { path, outcome } of result.files) {
      this.count(outcome);
      if (outcome === 'conflict' || outcome === 'not_kept' || outcome === 'unchanged')
        requireSame(only(before, path), only(after, path), `${outcome} ${path}`);
    }
    const named = new Set<string>(result.files.map(({ path }) => path));
    for (const path of new Set([...before.keys(), ...after.keys()]))
      if (!named.has(path)) requireSame(only(before, path), only(after, path), `unnamed ${path}`);
  }

  /** Lines of the turn are gone from every file that is not reported; a file that is as before is so to the byte. */
  private checkInverse(
    { number, sets }: { number: number; sets: ChangeSet[] },
    isAll: boolean,
    { files }: UndoResult,
    after: Disk,
  ): void {
    const reported = new Set(
      files
        .filter(({ outcome }) => outcome === 'conflict' || outcome === 'not_kept')
        .map(({ path }) => this.lineage.of(path)),
    );
    for (const [path, held] of after) {
      const left = tokensIn(new Map([[path, held]]), `agent-${number}-`);
      if (isAll && left.size > 0 && !reported.has(this.lineage.of(path)))
        throw new Error(`${path} still has ${[...left].join(' ')} and nothing is reported`);
    }
    for (const { path, outcome } of files) {
      const first = sets.flatMap(({ changes }) => changes).find((change) => change.path === path);
      if (
        outcome !== 'restored' ||
        this.moved.has(path) ||
        first === undefined ||
        first.before?.kind === 'folder'
      )
        continue;
      const now = after.get(path) ?? null;
      if ((now?.hash ?? null) !== (first.before?.hash ?? null)) throw new Error(`${path} is not as before`);
    }
  }
}

const isMoveTo = (deed: Deed, path: string): boolean =>
  deed !== null && typeof deed === 'object' && 'moveTo' in deed && deed.moveTo === path;

const only = (disk: Disk, path: string): Disk => {
  const held = disk.get(path);
  return new Map(held === undefined ? [] : [[path, held]]);
};

function requireSame(a: Disk, b: Disk, what: string): void {
  const text = (disk: Disk): string =>
    [...disk]
      .map(([path, { kind, hash, mode }]) => `${path} ${kind} ${hash.slice(0, 8)} ${mode.toString(8)}`)
      .sort()
      .join('\n');
  if (text(a) !== text(b)) throw new Error(`${what}:\n${text(a)}\n--- now\n${text(b)}`);
}
