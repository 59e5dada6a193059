import type { FoundTool } from '../../../shared/contract/session';

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** How many sessions a tool has, and how many of them are here already. */
export function foundWords({ sessions, known }: Pick<FoundTool, 'sessions' | 'known'>): string {
  const all = counted(sessions, 'session', 'sessions');
  if (known === 0) return all;
  return known >= sessions
    ? `${all}, all here already`
    : `${all}, ${known.toLocaleString('en')} here already`;
}

/** What came of an import, in one line. */
export function foreignWords(report: {
  imported: readonly string[];
  known: number;
  empty: number;
  failed: number;
  skipped: number;
}): string {
  const parts = [counted(report.imported.length, 'session', 'sessions') + ' imported'];
  if (report.failed > 0) parts.push(`${counted(report.failed, 'file', 'files')} could not be read`);
  if (report.empty > 0) parts.push(`${report.empty.toLocaleString('en')} without a message`);
  if (report.skipped > 0) parts.push(`${counted(report.skipped, 'record', 'records')} left out`);
  return parts.join(' · ');
}
