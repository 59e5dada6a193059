import { FOLDER_LISTINGS } from '../../limits';
import { isHousekeeping, type Guard, type StepFacts, type Verdict } from './guard';

/** Walking the tree folder by folder (H4). Several folders listed in one reply are one step of it. */
export class DirectoryDrill implements Guard {
  private count = 0;

  observe({ calls }: StepFacts): Verdict | null {
    const work = calls.filter((call) => !isHousekeeping(call));
    if (work.length === 0) return null;
    this.count = work.every((call) => call.tool === 'list_dir') ? this.count + 1 : 0;
    if (this.count !== FOLDER_LISTINGS) return null;
    return {
      nudge: {
        kind: 'directory_drill',
        notice: `${this.count} steps did nothing but list folders; the agent was told.`,
        reminder: `Your last ${this.count} steps did nothing but list folders. Find the file at once: glob for its name ("**/name*"), or grep for a word in it.`,
      },
    };
  }
}
