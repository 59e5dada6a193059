import type { RunningCommand } from '../../store/running-command-store';
import { startOf } from '../file-set-record';

/** Whether the process of Lathe that ran a command is still there. */
export function lives({ pid, processStarted }: RunningCommand): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startOf(pid) === processStarted;
}
