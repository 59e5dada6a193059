import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { SessionSummary } from '../../../shared/model/session';
import type { TurnEvent } from '../../../shared/model/turn-event';
import type { Store } from '../store/types';
import { TapeEntry } from './tape-entry';

/** Version of the file's format; a reader refuses what it does not know. */
const FORMAT = 1;
/** Events read from the store at once. */
const BATCH = 2_000;

const Header = z.object({
  lathe_recording: z.literal(FORMAT),
  app: z.string(),
  session: SessionSummary,
});
type Header = z.infer<typeof Header>;

/** A session as it was recorded: what came in, and the events that it led to. */
export interface Recording {
  session: SessionSummary;
  app: string;
  tape: TapeEntry[];
  /** One line of JSON per event, exactly as the log held it. */
  events: string[];
}

function eventsOf(store: Pick<Store, 'events'>, sessionId: string): TurnEvent[] {
  const all: TurnEvent[] = [];
  for (let after = 0; ;) {
    const { events } = store.events.after(sessionId, after, BATCH);
    const last = events.at(-1);
    if (!last) return all;
    all.push(...events);
    after = last.seq;
  }
}

/** Events as lines, in the form in which recordings hold and replays compare them. */
export const eventLines = (store: Pick<Store, 'events'>, sessionId: string): string[] =>
  eventsOf(store, sessionId).map((event) => JSON.stringify(event));

/**
 * The recording of a session as text: a header, then a line `{"tape": …}` per input, then a line `{"event": …}` per
 * event of its log.
 *
 * @throws AppError `not_found` when there is no such session, `unsupported` when it was not recorded from its start
 */
export async function writeRecording(
  store: Pick<Store, 'sessions' | 'events' | 'recordings'>,
  sessionId: string,
  app: string,
): Promise<string> {
  const session = store.sessions.get(sessionId);
  if (!session) throw new AppError('not_found', 'This session does not exist (any more).');
  const tape = await store.recordings.read(sessionId);
  const events = eventLines(store, sessionId);
  if (tape === '' && events.length > 0) {
    throw new AppError('unsupported', 'This session was not recorded, so it cannot be played again.', {
      hint: 'Recording is a setting (chat.recording.enabled); it holds for sessions begun while it is on.',
    });
  }
  const header: Header = { lathe_recording: FORMAT, app, session };
  return [
    JSON.stringify(header),
    ...tape.split('\n').flatMap((line) => (line === '' ? [] : [`{"tape":${line}}`])),
    ...events.map((line) => `{"event":${line}}`),
    '',
  ].join('\n');
}

function parseJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw damaged(number, 'it is not JSON');
  }
}

const damaged = (line: number, why: string): AppError =>
  new AppError('bad_argument', `Line ${line} of the recording can't be used: ${why}.`, {
    hint: 'Export the session again; a recording is only good whole.',
    detail: { line },
  });

const Line = z.union([z.object({ tape: TapeEntry }), z.object({ event: z.looseObject({ seq: z.int() }) })]);

function readHeader(line: string | undefined): Header {
  const header = Header.safeParse(parseJson(line ?? '', 1));
  if (header.success) return header.data;
  throw new AppError('bad_argument', 'This is not a recording that this version of Lathe can play.', {
    hint: 'Recordings are written by: lathe export ID --out DIR (recording.jsonl).',
  });
}

/** @throws AppError `bad_argument` naming the first line that is not what it should be */
export function readRecording(text: string): Recording {
  const [first, ...rest] = text.split('\n');
  const { session, app } = readHeader(first);
  const recording: Recording = { session, app, tape: [], events: [] };
  rest.forEach((line, index) => {
    if (line === '') return;
    const parsed = Line.safeParse(parseJson(line, index + 2));
    if (!parsed.success) throw damaged(index + 2, parsed.error.issues[0]?.message ?? 'unknown');
    if ('tape' in parsed.data) recording.tape.push(parsed.data.tape);
    // The bytes count, so the line is kept as it is.
    else recording.events.push(line.slice('{"event":'.length, -1));
  });
  return recording;
}
