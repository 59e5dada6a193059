import { AppError } from '../../shared/error';
import type { BisectProgress } from '../../shared/contract/changes';
import type { BisectCommand } from './args';
import { EXIT, type ExitCode } from './exit-code';
import { watchInterrupts } from './interrupts';
import type { Io } from './io';
import { plainLine, plainText } from './plain-text';
import { withSession } from './undo';

/** `lathe bisect --session ID --command CMD`: which change made the command fail. Works in a copy of the project. */
export async function bisect(command: BisectCommand, io: Io): Promise<ExitCode> {
  const interrupts = watchInterrupts();
  try {
    return await withSession(command, io, async (core, sessionId) => {
      let last: BisectProgress | null = null;
      const request = { sessionId, command: command.command, timeoutSeconds: command.timeoutSeconds };
      const tell = (progress: BisectProgress): void => {
        last = progress;
        if (command.json) io.stdout.write(`${JSON.stringify(progress)}\n`);
        else write(progress, io);
      };
      await core.changes.bisect.run(request, tell, interrupts.signal);
      return isFound(last) ? EXIT.finished : EXIT.failed;
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'cancelled') return EXIT.interrupted;
    throw error;
  } finally {
    interrupts.release();
  }
}

const isFound = (progress: BisectProgress | null): boolean => progress?.kind === 'found';

/** What is going on goes to standard error, what came out to standard output. */
function write(progress: BisectProgress, io: Io): void {
  switch (progress.kind) {
    case 'copying':
      return;
    case 'run': {
      const { run, most, label, passed } = progress;
      if (passed === null) return;
      io.stderr.write(`${run}/${most}  ${passed ? 'passes' : 'fails '}  ${plainLine(label)}\n`);
      return;
    }
    case 'nothing':
      io.stdout.write(`Nothing found. ${plainLines(progress.why)}\n`);
      return;
    case 'found':
      io.stdout.write(`${plainLines(progress.summary)}\n${hunkText(progress)}`);
  }
}

const plainLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => plainLine(line, 1000))
    .join('\n');

function hunkText({ hunk }: Extract<BisectProgress, { kind: 'found' }>): string {
  if (hunk === undefined) return '';
  const signs = { context: ' ', add: '+', delete: '-' };
  return hunk.lines.map(({ kind, text }) => `  ${signs[kind]}${plainText(text)}\n`).join('');
}
