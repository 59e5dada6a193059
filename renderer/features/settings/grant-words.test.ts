import { expect, test } from 'vitest';
import { Grant } from '../../../shared/model/approval';
import { canRevoke, grantGroups } from './grant-words';

const grant = (id: string, scope: Grant['scope']) =>
  Grant.parse({
    id,
    scope,
    rule: { action: 'run_command', resource: 'npm test', effect: 'allow' },
    sessionId: null,
    createdAt: 1,
    lastUsedAt: null,
  });

test('what was granted in dialogs stands first and alone can be revoked here', () => {
  const all = [grant('a', 'builtin'), grant('b', 'file'), grant('c', 'always'), grant('d', 'session')];
  expect(grantGroups(all).map((group) => [group.title, group.grants.map((one) => one.id)])).toEqual([
    ['Granted in dialogs', ['c', 'd']],
    ['From rules.jsonc', ['b']],
    ['Built in', ['a']],
  ]);
  expect(all.filter(canRevoke).map((one) => one.id)).toEqual(['c', 'd']);
  expect(grantGroups([])).toEqual([]);
});
