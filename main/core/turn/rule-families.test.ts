import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../testing/start-core';

const setRules = (
  app: TestCore,
  ...rules: [effect: string, action: string, resource: string][]
): Promise<void> =>
  writeFile(
    join(app.home, 'rules.jsonc'),
    JSON.stringify(rules.map(([effect, action, resource]) => ({ effect, action, resource }))),
  );

test('a rule that denies one editing tool stops every way to write the file, and says which rule it was', async () => {
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-one\n+two\n*** End Patch';
  await using model = await startScriptedModel({
    script: [
      calls('write_file', { path: 'src/a.ts', content: 'two\n' }),
      calls('apply_patch', { patch }),
      calls('edit_file', { path: 'src/a.ts', old_string: 'one', new_string: 'two' }),
      calls('write_file', { path: 'lib/b.ts', content: 'two\n' }),
      'Only lib could be changed.',
    ],
  });
  await using app = await startCore({
    files: { 'src/a.ts': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await setRules(app, ['allow', 'write_file', '**'], ['deny', 'edit_file', 'src/**']);
  const turn = await app.turn('change a.ts');
  expect(turn.calls.map(({ tool, state }) => [tool, state])).toEqual([
    ['write_file', 'denied'],
    ['apply_patch', 'denied'],
    ['edit_file', 'denied'],
    ['write_file', 'success'],
  ]);
  expect(turn.calls.map(({ error }) => error?.message)).toEqual([
    'The rule in your rules file forbids `edit_file: src/**`. It holds for every tool that writes files.',
    'The rule in your rules file forbids `edit_file: src/**`. It holds for every tool that writes files.',
    'The rule in your rules file forbids `edit_file: src/**`.',
    undefined,
  ]);
  expect(await app.read('src/a.ts')).toBe('one\n');
});

test('sec-B03: what read_file may not show, grep leaves out and says how many files, binary ones too', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('grep', { pattern: 'needle' }),
      calls('grep', { pattern: 'needle', path: '.env' }),
      calls('grep', { pattern: 'needle', path: 'private' }),
      'Found what I may see.',
    ],
  });
  await using app = await startCore({
    files: {
      'a.ts': 'needle\n',
      '.env': 'KEY=needle-1\n',
      'private/b.ts': 'needle-2\n',
      'private/c.bin': 'needle-3\n\0',
      'asked.txt': 'needle-4\n',
    },
    modelUrl: model.url,
    approve: 'deny',
  });
  await setRules(
    app,
    ['deny', 'read_file', '.env'],
    ['deny', 'read_file', 'private/**'],
    ['ask', 'read_file', 'asked.txt'],
  );
  const turn = await app.turn('search');
  expect(turn.calls.map(({ state }) => state)).toEqual(['success', 'denied', 'denied']);
  expect(turn.calls[0]?.result?.text).toBe(
    'a.ts\n1: needle\n(4 files are not shown because a rule denies or asks about reading them)',
  );
  expect(JSON.stringify(model.requests.at(-1)?.body)).not.toMatch(/needle-\d/);
});
