import type { Client } from '../../../shared/contract/contract';
import { type ErrorCode, toErrorShape } from '../../../shared/error';
import type { SessionId } from '../../../shared/model/ids';
import type { Attachment } from './attachment';
import type { Delivery } from './delivery';
import { mentionedPaths } from './mentions';

type TurnClient = Pick<Client, 'turn' | 'files'>;

/** The most mentions that are looked up: the host takes 100. */
const MAX_MENTIONS = 100;

/** The mentioned paths that are files of the project; a mistyped one stays text. */
export async function existingMentions(client: TurnClient, text: string): Promise<string[]> {
  const paths = mentionedPaths(text).slice(0, MAX_MENTIONS);
  const found = await Promise.all(
    paths.map(async (path) => {
      const matches = await client.files.find({ query: path.slice(0, 200), limit: 20 });
      return matches.includes(path) ? path : null;
    }),
  );
  return found.filter((path) => path !== null);
}

/** What is sent: words, pictures, or both. */
export interface Outgoing {
  text: string;
  images: readonly Pick<Attachment, 'mime' | 'base64' | 'name'>[];
}

/** One way to get a message across, and the failure that says that another way is right at this moment. */
interface Attempt {
  send(): Promise<unknown>;
  missed: ErrorCode;
}

/**
 * Starts a turn with a message; while one runs, does with it what `how` says. A turn that ended or began at the same moment
 * is met either way.
 *
 * @throws AppError what the host says when neither works
 */
export async function sendMessage(
  client: TurnClient,
  sessionId: SessionId,
  { text, images: attached }: Outgoing,
  running: boolean,
  how: Delivery = 'steer',
): Promise<void> {
  const mentions = (): Promise<string[]> => existingMentions(client, text);
  const images = attached.map(({ mime, base64, name }) => ({ mime, base64, name }));
  const said = { sessionId, text, ...(images.length === 0 ? {} : { images }) };
  const start: Attempt = {
    send: async () => client.turn.start({ ...said, mentions: await mentions() }),
    missed: 'busy',
  };
  const steer: Attempt = {
    send: () => client.turn.interject(said),
    missed: 'bad_argument',
  };
  const queue: Attempt = {
    send: async () => client.turn.queue({ ...said, mentions: await mentions() }),
    missed: 'bad_argument',
  };
  const stop: Attempt = {
    send: async () => {
      await client.turn.stop({ sessionId });
      await start.send();
    },
    missed: 'busy',
  };
  const first = { steer, queue, stop }[how];
  // Who wanted the turn stopped and met another one does not want to be asked again: the message waits for its end.
  const meanwhile = how === 'steer' ? steer : queue;
  if (running) await inTurn(first, first === stop ? queue : start);
  else await inTurn(start, meanwhile);
}

async function inTurn(first: Attempt, second: Attempt): Promise<void> {
  try {
    await first.send();
  } catch (error) {
    if (toErrorShape(error).code !== first.missed) throw error;
    await second.send().catch((again: unknown) => {
      // Neither works where another process runs the turn; only the first answer says so.
      throw toErrorShape(again).code === 'bad_argument' ? error : again;
    });
  }
}
