import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../store/open-store';
import { createGrantLedger } from './grant-ledger';
import { openRulesFile, parseRules } from './rules-file';

const folder = mkdtempSync(join(tmpdir(), 'lathe-rules-'));
let files = 0;

function rulesFile(text: string | null, owner: 'user' | 'project' = 'user') {
  files += 1;
  const path = join(folder, `rules-${files}.jsonc`);
  if (text !== null) writeFileSync(path, text);
  return openRulesFile(path, owner);
}

const GIT = '{"action": "run_command", "resource": "git status*", "effect": "allow"}';
const DENY = '{"action": "*", "resource": "secrets/**", "effect": "deny"}';

test('case-P2: a rules file is a list with comments and trailing commas', () => {
  expect(rulesFile(`// mine\n[${GIT}, /* no */ ${DENY},]`).read()).toEqual({
    rules: [JSON.parse(GIT), JSON.parse(DENY)],
    problems: [],
  });
  expect(rulesFile(null).read()).toEqual({ rules: [], problems: [] });
  expect(rulesFile('').read()).toEqual({ rules: [], problems: [] });
});

test('a bad entry is left out and named by its line', () => {
  const { rules, problems } = parseRules(
    `[\n${GIT},\n{"action": "x", "resource": "y", "effect": "maybe"}\n]`,
    'r.jsonc',
    'user',
  );
  expect(rules).toHaveLength(1);
  expect(problems).toEqual([expect.stringMatching(/^r\.jsonc:3: this rule is ignored: effect: /)]);
});

test('a broken file allows nothing and keeps its earlier denials', () => {
  const file = rulesFile(`[${GIT}, ${DENY}]`);
  file.read();
  writeFileSync(file.path, `[${GIT}, {"action": "*"`);
  const state = file.read();
  expect(state.rules).toEqual([JSON.parse(DENY)]);
  expect(state.problems[0]).toContain(`${file.path}:1: not valid JSON`);
});

test('a changed, replaced or removed file counts at once', () => {
  const file = rulesFile(`[${GIT}]`);
  expect(file.read().rules).toHaveLength(1);
  writeFileSync(`${file.path}.new`, `[${GIT}, ${DENY}]`);
  renameSync(`${file.path}.new`, file.path);
  expect(file.read().rules).toHaveLength(2);
  rmSync(file.path);
  expect(file.read().rules).toEqual([]);
});

test('sec-A05: a project file can neither allow nor set anything, and each attempt is named', () => {
  const allows = rulesFile(`[${GIT}, ${DENY}]`, 'project').read();
  expect(allows.rules).toEqual([JSON.parse(DENY)]);
  expect(allows.problems).toHaveLength(1);
  const settings = rulesFile('{"approvalMode": "never", "autoApprove": ["*"]}', 'project').read();
  expect(settings.rules).toEqual([]);
  expect(settings.problems).toHaveLength(1);
});

test('rules come in judging order and only grants can be revoked', () => {
  const store = openStore({ dataDir: join(folder, 'home') });
  const ledger = createGrantLedger(store.grants, {
    user: rulesFile(`[${GIT}]`),
    project: rulesFile(`[${DENY}]`, 'project'),
  });
  const grant = ledger.add({ action: 'run_command', resource: 'npm test', effect: 'allow' }, 'always', null);
  ledger.touch(grant.id);
  ledger.touch('file:0');
  expect(ledger.rulesFor(null).map((each) => each.from)).toEqual(['file', 'project', 'always']);
  expect(new Set(ledger.list(null).map((each) => each.scope))).toEqual(
    new Set(['builtin', 'file', 'always']),
  );
  expect(() => {
    ledger.revoke('file:0');
  }).toThrow(/cannot be revoked/);
  ledger.revoke(grant.id);
  expect(ledger.rulesFor(null)).toHaveLength(2);
  store.close();
});
