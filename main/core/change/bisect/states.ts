import { createHash } from 'node:crypto';
import type { ChangeSet } from '../../../../shared/model/change';
import type { WorkspaceFiles } from '../../workspace/types';
import type { Blobs, ChangeStore } from '../types';
import type { FoldPort, Now } from '../undo/fold';
import type { Held } from '../undo/held';
import { loaderOf } from '../undo/load-state';
import { lookAt } from '../undo/look';
import { planUndo } from '../undo/plan';
import { stepsOf } from '../undo/steps';
import type { Overlay } from './scratch';

const MAX_HOPS = 20;

/** The project at some point, as what is different from the present. */
export interface ProjectState {
  overlay: Overlay;
  /** Equal states have equal keys. */
  key: string;
  /** Files of which the former content is not kept, so that they are as at present. */
  unknown: string[];
}

export function stateOf(overlay: Overlay, unknown: string[] = []): ProjectState {
  const hash = createHash('sha256');
  for (const [name, held] of [...overlay].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${JSON.stringify([name, held && [held.kind, held.hash, held.mode]])}\n`);
  return { overlay, key: hash.digest('hex'), unknown };
}

/** Works out former states of a project from the present by taking entries back, in memory. */
export class FormerStates {
  private readonly seen = new Map<string, Now>();

  /** @param files of the untouched copy */
  constructor(
    private readonly files: WorkspaceFiles,
    private readonly projectId: string,
    private readonly store: Pick<ChangeStore, 'chain'>,
    private readonly blobs: Blobs,
  ) {}

  /** Looks at everything that these entries are about, while the copy is as it was made. */
  async look(sets: readonly ChangeSet[]): Promise<void> {
    for (const set of sets) {
      for (const { path } of set.changes) {
        await this.now(path);
        const moved = this.movedTo(path, set.seq, new Set(sets.map(({ id }) => id)));
        if (moved !== null) await this.now(moved);
      }
    }
  }

  /** What is at a path at present. */
  present(path: string): Held | null {
    const now = this.seen.get(path);
    return now !== undefined && 'held' in now ? now.held : null;
  }

  /** The project without these entries; where somebody changed the same lines later, as it was without that. */
  async without(sets: readonly ChangeSet[]): Promise<ProjectState> {
    const own = new Set<string>(sets.map(({ id }) => id));
    const port: FoldPort = {
      now: (path) => this.now(path),
      load: loaderOf(this.blobs).load,
      movedTo: (path, seq) => this.movedTo(path, seq, own),
    };
    const newestFirst = [...sets].sort((a, b) => b.seq - a.seq);
    const plan = await planUndo(stepsOf(newestFirst), port);
    const overlay = new Map<string, Held | null>(plan.transitions.map(({ path, to }) => [path, to]));
    const unknown: string[] = [];
    for (const { wanted, path } of plan.failures) {
      if (wanted.isKnown) {
        if (wanted.path !== path) overlay.set(path, null);
        overlay.set(wanted.path, wanted.held);
      } else unknown.push(path);
    }
    return stateOf(overlay, unknown);
  }

  private async now(path: string): Promise<Now> {
    const known = this.seen.get(path) ?? (await lookAt(this.files, path));
    this.seen.set(path, known);
    return known;
  }

  private movedTo(path: string, afterSeq: number, own: ReadonlySet<string>): string | null {
    let [at, seq] = [path, afterSeq];
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const links = this.store.chain(this.projectId, at, seq);
      // The first removal that stands took the file away; what was there after it is another one.
      const left = links.find(
        ({ set, change }) => change.after === null && set.undoneBy === null && !own.has(set.id),
      );
      const to = left?.set.changes.find(({ movedFrom, after }) => movedFrom === at && after !== null);
      if (left === undefined || to === undefined) break;
      [at, seq] = [to.path, left.set.seq];
    }
    return at === path ? null : at;
  }
}
