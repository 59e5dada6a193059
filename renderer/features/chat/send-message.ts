import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import type { SessionId } from '../../../shared/model/ids';
import { mentionedPaths } from './mentions';

type TurnClient = Pick<Client, 'turn' | 'files'>;

/** The most mentions that are looked up: the host takes 100. */
const MAX_MENTIONS = 100;

/** The mentioned paths that are files of the project; a mistyped one stays text. */
async function existingMentions(client: TurnClient, text: string): Promise<string[]> {
  const paths = mentionedPaths(text).slice(0, MAX_MENTIONS);
  const found = await Promise.all(
    paths.map(async (path) => {
      const matches = await client.files.find({ query: path.slice(0, 200), limit: 20 });
      return matches.includes(path) ? path : null;
    }),
  );
  return found.filter((path) => path !== null);
}

/**
 * Starts a turn with `text`, or gives it to the one that runs already. A turn that ended or began at the same moment is
 * met either way.
 *
 * @throws AppError what the host says when neither works
 */
export async function sendMessage(
  client: TurnClient,
  sessionId: SessionId,
  text: string,
  running: boolean,
): Promise<void> {
  const start = async (): Promise<void> => {
    const mentions = await existingMentions(client, text);
    await client.turn.start({ sessionId, text, mentions });
  };
  const interject = async (): Promise<void> => void (await client.turn.interject({ sessionId, text }));
  const [first, second, missed] = running
    ? ([interject, start, 'bad_argument'] as const)
    : ([start, interject, 'busy'] as const);
  try {
    await first();
  } catch (error) {
    if (toErrorShape(error).code !== missed) throw error;
    await second();
  }
}
