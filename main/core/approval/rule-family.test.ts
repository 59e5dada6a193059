import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtinTools } from '../tool/builtin-tools';
import { EDITING_TOOLS, pathVerdict, READING_TOOLS } from './rule-family';
import { matchesAction, matchesPath } from './rule-match';
import { ruleVerdict } from './rule-verdict';
import { rulesOf, type ShortRule } from './testing/command-policy';

const STRENGTH = { allow: 0, ask: 1, deny: 2 };

const edit = (tool: string, path: string, rules: readonly ShortRule[]) =>
  pathVerdict({ tool, effect: 'write', rules: rulesOf(rules) }, path)?.effect ?? null;
const read = (tool: string, path: string, rules: readonly ShortRule[]) =>
  pathVerdict({ tool, effect: 'read', rules: rulesOf(rules) }, path)?.effect ?? null;

test('the tools that write are those that rules speak of together', () => {
  const ports = new Proxy({}, { get: () => () => undefined }) as Parameters<typeof builtinTools>[0];
  const writing = builtinTools(ports).filter(({ effect }) => effect === 'write');
  expect(writing.map(({ name }) => name).toSorted()).toEqual([...EDITING_TOOLS].toSorted());
});

test('a rule that denies one editing tool denies every tool that writes, whatever else is allowed', () => {
  for (const rules of [
    [['deny', 'src/**', 'edit_file']],
    [
      ['deny', 'src/**', 'edit_file'],
      ['allow', '**', 'write_file'],
      ['allow', '**', 'apply_patch'],
    ],
    [
      ['allow', '*', '*'],
      ['deny', 'src/**', 'edit_file'],
    ],
    [
      ['deny', 'src/**', 'edit_file'],
      ['allow', 'src/a.ts', 'write_file', 'always'],
    ],
    [
      ['deny', 'src/**', 'edit_file', 'project'],
      ['allow', 'src/a.ts', 'write_file', 'session'],
    ],
  ] satisfies ShortRule[][]) {
    for (const tool of [...EDITING_TOOLS, 'mcp__fs__write']) {
      expect(edit(tool, 'src/a.ts', rules), `${tool} ${JSON.stringify(rules)}`).toBe('deny');
      expect(edit(tool, 'lib/a.ts', rules), tool).not.toBe('deny');
    }
  }
});

test('a rule that asks about one editing tool asks about all, until the tool itself is allowed', () => {
  const rules: ShortRule[] = [
    ['allow', '*', '*'],
    ['ask', 'src/**', 'edit_file'],
  ];
  expect(EDITING_TOOLS.map((tool) => edit(tool, 'src/a.ts', rules))).toEqual(['ask', 'ask', 'ask']);
  const granted: ShortRule[] = [...rules, ['allow', 'src/a.ts', 'write_file', 'session']];
  expect(edit('write_file', 'src/a.ts', granted)).toBe('allow');
  expect(edit('edit_file', 'src/a.ts', granted)).toBe('ask');
});

test('a rule that allows speaks for the tool it names alone', () => {
  expect(edit('edit_file', 'src/a.ts', [['allow', 'src/**', 'edit_file']])).toBe('allow');
  expect(edit('write_file', 'src/a.ts', [['allow', 'src/**', 'edit_file']])).toBeNull();
});

test('a denial that was lifted for its own tool holds for no other', () => {
  const rules: ShortRule[] = [
    ['deny', 'src/**', 'edit_file'],
    ['allow', 'src/gen/**', 'edit_file'],
  ];
  expect(edit('edit_file', 'src/gen/a.ts', rules)).toBe('allow');
  expect(edit('write_file', 'src/gen/a.ts', rules)).toBeNull();
  expect(edit('write_file', 'src/a.ts', rules)).toBe('deny');
});

test('sec-B03: a rule that denies reading a file denies searching in it, and the other way round', () => {
  expect(read('grep', '.env', [['deny', '.env', 'read_file']])).toBe('deny');
  expect(read('read_file', '.env', [['deny', '.env', 'grep']])).toBe('deny');
  expect(read('list_dir', '.env', [['deny', '.env', 'read_file']])).toBeNull();
  expect(edit('edit_file', '.env', [['deny', '.env', 'read_file']])).toBeNull();
  expect(read('read_file', '.env', [['deny', '.env', 'edit_file']])).toBeNull();
});

const PATHS = ['a.ts', 'src/a.ts', 'src/gen/a.ts', '.env'];
const anyRule = fc.tuple(
  fc.constantFrom('allow', 'ask', 'deny'),
  fc.constantFrom('*', 'src/**', 'src/gen/**', '*.ts', '.env', 'SRC/a.ts'),
  fc.constantFrom(...EDITING_TOOLS, ...READING_TOOLS, '*'),
  fc.constantFrom('file', 'project', 'always', 'session'),
) satisfies fc.Arbitrary<ShortRule>;

test('for any rules: what is denied by name through one editing tool is denied through every other', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 8 }), (all) => {
      const rules = all.filter(([effect, , action]) => action !== '*' || effect === 'allow');
      for (const path of PATHS) {
        for (const [tools, judge] of [
          [EDITING_TOOLS, edit],
          [READING_TOOLS, read],
        ] as const) {
          const effects = tools.map((tool) => judge(tool, path, rules));
          if (effects.includes('deny')) expect(new Set(effects)).toEqual(new Set(['deny']));
        }
      }
    }),
    { numRuns: 3000, seed: 3 },
  );
});

test('for any rules: a tool is never freer than its own rules make it', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 8 }), fc.constantFrom(...PATHS), (rules, path) => {
      const layered = rulesOf(rules);
      for (const tool of EDITING_TOOLS) {
        const own = ruleVerdict(
          layered.filter(
            ({ rule }) => matchesAction(rule, tool) && matchesPath(rule.resource, path, rule.effect),
          ),
        );
        const whole = edit(tool, path, rules);
        if (own === null) expect(whole).not.toBe('allow');
        else expect(STRENGTH[whole ?? 'allow']).toBeGreaterThanOrEqual(STRENGTH[own.effect]);
      }
    }),
    { numRuns: 3000, seed: 4 },
  );
});
