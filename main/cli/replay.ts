import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/error';
import { readRecording } from '../core/recording/recording-file';
import { replaySession, type ReplayResult } from '../core/recording/replay-session';
import type { ReplayCommand } from './args';
import { EXIT, type ExitCode } from './exit-code';
import type { Io } from './io';
import { plainLine } from './plain-text';

/** Name of the recording in a folder that an export wrote. */
const IN_FOLDER = 'recording.jsonl';
/** Characters of a differing event that are printed. */
const SHOWN_CHARS = 400;
/** Everything is held in memory while it is compared. */
const MAX_BYTES = 512_000_000;

async function recordingText(file: string): Promise<string> {
  const facts = await stat(file).catch(() => null);
  const found = facts?.isDirectory() === true ? path.join(file, IN_FOLDER) : file;
  const size = await stat(found).then(
    (known) => known.size,
    () => null,
  );
  if (size === null) throw new AppError('not_found', `There is no recording at ${found}.`);
  if (size > MAX_BYTES) {
    throw new AppError('file_too_large', `${found} is too large to be played (${size} bytes).`);
  }
  return readFile(found, 'utf8');
}

/** `lathe replay FILE`: plays a recording and says whether the same came out. */
export async function replay(command: ReplayCommand, io: Io): Promise<ExitCode> {
  const recording = readRecording(await recordingText(path.resolve(io.cwd, command.file)));
  const result = await replaySession(recording);
  io.stdout.write(command.json ? asJson(result) : asText(result, recording.events.length));
  return result.equal && result.divergences.length === 0 ? EXIT.finished : EXIT.failed;
}

const asJson = ({ equal, events, firstDifference, divergences }: ReplayResult): string =>
  `${JSON.stringify({ equal, events: events.length, firstDifference, divergences })}\n`;

function asText({ equal, firstDifference, divergences }: ReplayResult, recorded: number): string {
  const lines = [
    equal
      ? `The same ${recorded} events came out.`
      : `Event ${firstDifference?.seq ?? 1} is the first that differs.`,
  ];
  if (firstDifference) {
    lines.push(
      `  recorded: ${plainLine(firstDifference.recorded ?? '(none)', SHOWN_CHARS)}`,
      `  replayed: ${plainLine(firstDifference.replayed ?? '(none)', SHOWN_CHARS)}`,
    );
  }
  return [...lines, ...divergences.map((what) => plainLine(what, SHOWN_CHARS)), ''].join('\n');
}
