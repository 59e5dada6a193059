import { z } from 'zod';
import type { StateStore } from '../../store/types';
import type { ChangeLog } from '../types';
import type { AcceptedBase } from './review-start';

/** Accepts of a project that can be taken back. */
const MAX_ACCEPTS = 30;
/** What is stored under one key has a limit: this many bases of files stay far below it. */
const MOVES_PER_KEY = 400;

/** How one accept moved the base of a file. */
export interface BaseMove {
  path: string;
  /** Null: nothing of it had been accepted. */
  was: AcceptedBase | null;
  is: AcceptedBase | null;
}

/** An accept that was not taken back. */
export const AcceptNote = z.object({
  id: z.string(),
  at: z.int(),
  /** The log's newest entry at that time. */
  afterSeq: z.int(),
  files: z.int(),
  /** The file when it is only one. */
  path: z.string().nullable(),
  /** Keys that its bases are stored under. */
  parts: z.int(),
});
export type AcceptNote = z.infer<typeof AcceptNote>;

const Base = z
  .object({
    base: z.object({ path: z.string(), seq: z.int(), hash: z.string().nullable() }),
    holdsUntil: z.int(),
  })
  .nullable();
const Moves = z.array(z.object({ path: z.string(), was: Base, is: Base }));

const scopeOf = (projectId: string): string => `review-accepts:${projectId}`;
const LIST = 'list';
const partKey = (id: string, part: number): string => `${id}:${part}`;

/** Number of the log's newest entry; 0 when there is none. */
export const lastSeqOf = (log: Pick<ChangeLog, 'list'>): number => log.list({ limit: 1 })[0]?.seq ?? 0;

/** The last accepts of each project with the bases they moved, kept over restarts. */
export class Accepts {
  constructor(
    private readonly state: StateStore,
    private readonly newId: () => string,
  ) {}

  /** The newest one that was not taken back. */
  last(projectId: string): AcceptNote | null {
    return this.list(projectId).at(-1) ?? null;
  }

  add(
    projectId: string,
    { files, afterSeq, moves }: { files: readonly string[]; afterSeq: number; moves: readonly BaseMove[] },
  ): void {
    if (moves.length === 0) return;
    const id = this.newId();
    const parts = Math.ceil(moves.length / MOVES_PER_KEY);
    for (let part = 0; part < parts; part += 1) {
      const some = moves.slice(part * MOVES_PER_KEY, (part + 1) * MOVES_PER_KEY);
      this.state.set(scopeOf(projectId), partKey(id, part), some);
    }
    const path = files.length === 1 ? (files[0] ?? null) : null;
    const notes = [
      ...this.list(projectId),
      { id, at: Date.now(), afterSeq, files: files.length, path, parts },
    ];
    for (const old of notes.slice(0, -MAX_ACCEPTS)) this.forget(projectId, old);
    this.state.set(scopeOf(projectId), LIST, notes.slice(-MAX_ACCEPTS));
  }

  /** The bases that an accept moved; none when they can't be read any more. */
  moves(projectId: string, { id, parts }: AcceptNote): BaseMove[] {
    return Array.from({ length: parts }, (_, part) => {
      const found = Moves.safeParse(this.state.get(scopeOf(projectId), partKey(id, part)));
      return found.success ? found.data : [];
    }).flat();
  }

  drop(projectId: string, note: AcceptNote): void {
    const left = this.list(projectId).filter(({ id }) => id !== note.id);
    this.state.set(scopeOf(projectId), LIST, left);
    this.forget(projectId, note);
  }

  private forget(projectId: string, { id, parts }: AcceptNote): void {
    for (let part = 0; part < parts; part += 1) this.state.set(scopeOf(projectId), partKey(id, part), null);
  }

  private list(projectId: string): AcceptNote[] {
    const found = z.array(AcceptNote).safeParse(this.state.get(scopeOf(projectId), LIST));
    return found.success ? found.data : [];
  }
}
