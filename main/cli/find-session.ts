import { AppError } from '../../shared/error';
import type { SessionId } from '../../shared/model/ids';
import type { Store } from '../core/store/types';
import { plainLine } from './plain-text';

const ALL = 1_000_000;

/** The session with this id, or the only one whose id begins so. @throws AppError `not_found`, `bad_argument` */
export function findSession(store: Store, wanted: string): SessionId {
  const known = store.sessions.get(wanted);
  if (known) return known.id;
  const fitting = store.sessions
    .list({ projectId: null, children: true, limit: ALL })
    .filter(({ id }) => wanted.length >= 4 && id.startsWith(wanted));
  const [first, second] = fitting;
  if (first && !second) return first.id;
  if (second)
    throw new AppError('bad_argument', `${fitting.length} sessions have an id that begins with ${wanted}.`);
  throw new AppError('not_found', `There is no session ${plainLine(wanted, 100)}.`, {
    hint: 'See: lathe sessions',
  });
}
