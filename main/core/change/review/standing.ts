import type { HistoryStep } from '../trace/path-history';

/** Tells steps that wait for a person's yes from those that don't. */
export interface Standing {
  /** The step brought content of agents that nobody has accepted: by writing it, or by taking an undo of it back. */
  waits(step: HistoryStep): boolean;
  /** The agents' own steps behind one that waits. */
  agentsOf(step: HistoryStep): HistoryStep[];
}

const isAgent = ({ set }: HistoryStep): boolean =>
  set.author.kind === 'agent' || set.author.kind === 'command';

/** @param from index of the first step that no review base covers */
export function standingOf(steps: readonly HistoryStep[], from: number): Standing {
  const byId = new Map(steps.map((step, at) => [step.set.id as string, { step, isOpen: at >= from }]));
  const undone = ({ set }: HistoryStep) =>
    set.author.kind === 'undo' ? set.author.undoes.flatMap((id) => byId.get(id) ?? []) : [];
  const agentsOf = (step: HistoryStep, isOpen: boolean): HistoryStep[] => {
    if (isAgent(step)) return isOpen && !step.isReviewed ? [step] : [];
    const undos = undone(step).filter((target) => target.step.set.author.kind === 'undo');
    return undos
      .flatMap((undo) => undone(undo.step))
      .flatMap((target) => agentsOf(target.step, target.isOpen));
  };
  const known = new Map<HistoryStep, HistoryStep[]>();
  const agents = (step: HistoryStep): HistoryStep[] => {
    const found = known.get(step) ?? agentsOf(step, byId.get(step.set.id)?.isOpen ?? false);
    known.set(step, found);
    return found;
  };
  return { waits: (step) => agents(step).length > 0, agentsOf: agents };
}
