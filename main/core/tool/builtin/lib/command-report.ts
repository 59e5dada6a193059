import type { RunOutcome } from '../../../process/run-process';
import type { ToolResult } from '../../types';

const LABEL_CHARS = 80;

/** A command in one short line, for labels. */
export function shortened(command: string): string {
  const line = command.trim().replaceAll(/\s+/g, ' ');
  return line.length > LABEL_CHARS ? `${line.slice(0, LABEL_CHARS - 1)}…` : line;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** How it ended, in a few words. */
function ending(outcome: RunOutcome, limitSeconds: number): string {
  if (outcome.ended === 'timeout') return `timed out after ${limitSeconds} s`;
  return outcome.signal === null ? `exit ${outcome.exitCode ?? '?'}` : `killed by ${outcome.signal}`;
}

function modelText(outcome: RunOutcome, end: string): string {
  const notes: string[] = [];
  if (outcome.cutChars > 0) {
    const where = outcome.logPath === null ? '' : ` The whole output is in ${outcome.logPath}`;
    notes.push(`[${outcome.cutChars} characters were cut from the middle.${where}]`);
  }
  const { background } = outcome;
  if (background.length > 0) {
    const names = [...new Set(background)].slice(0, 5).join(', ');
    const count = `${background.length} background process${background.length === 1 ? '' : 'es'}`;
    notes.push(`[${count} still running: ${names}. They end when the app quits.]`);
  }
  if (outcome.ended === 'timeout')
    notes.push('[All its processes were ended. Give timeout_s for more time.]');
  if (outcome.text === '') return [`(no output), ${end}`, ...notes].join('\n');
  return [outcome.text.replace(/\n$/, ''), ...notes, `[${end}]`].join('\n');
}

/** What the model and the feed are told of a command that has ended. */
export function toResult(command: string, outcome: RunOutcome, limitSeconds: number): ToolResult {
  const end = ending(outcome, limitSeconds);
  return {
    text: modelText(outcome, end),
    label: `Ran \`${shortened(command)}\` · ${end} · ${seconds(outcome.durationMs)}`,
    exitCode: outcome.exitCode,
    ...(outcome.cutChars > 0 ? { cutChars: outcome.cutChars } : {}),
    ...(outcome.logPath === null ? {} : { fullOutputPath: outcome.logPath }),
    ...(outcome.ended === 'timeout' || outcome.signal !== null ? { isError: true } : {}),
  };
}
