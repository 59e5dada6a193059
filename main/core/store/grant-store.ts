import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Grant } from '../../../shared/model/approval';
import { AppError } from '../../../shared/error';
import { parseRow, parseRows, type Sql } from './sql';
import type { GrantStore } from './types';

const Row = z
  .object({
    id: z.string(),
    action: z.string(),
    resource: z.string(),
    effect: z.string(),
    scope: z.string(),
    session_id: z.string().nullable(),
    created_at: z.int(),
    last_used_at: z.int().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    rule: { action: row.action, resource: row.resource, effect: row.effect },
    scope: row.scope,
    sessionId: row.session_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
  .pipe(Grant);

const SELECT = 'SELECT id, action, resource, effect, scope, session_id, created_at, last_used_at FROM grants';

/** Grants given in dialogs. `list(null)` holds the lasting ones only: a session's grants are for that session alone. */
export function createGrantStore(sql: Sql): GrantStore {
  const list = (sessionId: string | null): Grant[] =>
    parseRows(
      Row,
      sql.all(
        `${SELECT} WHERE scope = 'always' OR (scope = 'session' AND session_id = ?) ORDER BY scope, created_at, rowid`,
        sessionId,
      ),
    ).items;
  return {
    list,
    add: (rule, scope, sessionId) => {
      const owner = scope === 'session' ? sessionId : null;
      if (scope === 'session' && owner === null) {
        throw new AppError('bad_argument', 'A grant for a session needs the session it is for.');
      }
      const isSame = (grant: Grant): boolean =>
        grant.scope === scope &&
        grant.rule.action === rule.action &&
        grant.rule.resource === rule.resource &&
        grant.rule.effect === rule.effect;
      const known = list(owner).find(isSame);
      if (known) return known;
      const id = randomUUID();
      sql.run(
        'INSERT INTO grants (id, action, resource, effect, scope, session_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        id,
        rule.action,
        rule.resource,
        rule.effect,
        scope,
        owner,
        Date.now(),
      );
      const added = parseRow(Row, sql.get(`${SELECT} WHERE id = ?`, id));
      if (!added) throw new AppError('internal', "The new grant can't be read back.");
      return added;
    },
    touch: (id) => {
      sql.run('UPDATE grants SET last_used_at = ? WHERE id = ?', Date.now(), id);
    },
    revoke: (id) => {
      sql.run('DELETE FROM grants WHERE id = ?', id);
    },
  };
}
