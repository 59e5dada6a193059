import { SEARCHES_WITHOUT_READ } from '../../limits';
import { isHousekeeping, type Guard, type StepFacts, type Verdict } from './guard';

const SEARCHES = new Set(['grep', 'glob', 'find_files', 'find_symbol', 'find_references']);

/** Searching on and on without reading what was found (H4). */
export class SearchScatter implements Guard {
  private count = 0;

  observe({ calls }: StepFacts): Verdict | null {
    const before = this.count;
    for (const call of calls) {
      if (SEARCHES.has(call.tool)) this.count += 1;
      else if (!isHousekeeping(call)) this.count = 0;
    }
    if (this.count < SEARCHES_WITHOUT_READ || before >= SEARCHES_WITHOUT_READ) return null;
    return {
      nudge: {
        kind: 'search_scatter',
        notice: `${this.count} searches in a row without a read; the agent was told.`,
        reminder: `You made ${this.count} searches in a row without reading a file. Read the best hit, or make one broader search (a glob, or alternatives in one pattern: a|b|c).`,
      },
    };
  }
}
