import { AppError, toErrorShape } from '../../shared/error';
import { type Command, parseCommand } from './args';
import { EXIT, type ExitCode, exitCodeOfFailure } from './exit-code';
import { helpText } from './help';
import type { Io } from './io';
import { describeFailure } from './reporter';

/** Runs one command line; resolves to its exit code and never rejects. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(parseCommand(argv), io);
  } catch (error) {
    io.stderr.write(`${describeFailure(toErrorShape(error))}\n`);
    return error instanceof AppError ? exitCodeOfFailure(error.code) : EXIT.failed;
  }
}

/** Each command loads only what it needs: start-up time is a promise. */
async function dispatch(command: Command, io: Io): Promise<ExitCode> {
  switch (command.kind) {
    case 'help':
      io.stdout.write(helpText(command.topic));
      return EXIT.finished;
    case 'run':
      return (await import('./run')).run(command, io);
    case 'serve':
      return (await import('./serve')).serve(command, io);
    case 'sessions':
      return (await import('./sessions')).sessions(command, io);
    case 'export':
      return (await import('./export')).exportSession(command, io);
    case 'import':
      return (await import('./import')).importSessions(command, io);
    case 'replay':
      return (await import('./replay')).replay(command, io);
    case 'undo':
      return (await import('./undo')).undo(command, io);
    case 'redo':
      return (await import('./undo')).redo(command, io);
    case 'log':
      return (await import('./undo')).changeLog(command, io);
    case 'bisect':
      return (await import('./bisect')).bisect(command, io);
  }
}
