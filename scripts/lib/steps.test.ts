import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runSteps } from './steps.mjs';
import { countOne } from './test-counts.mjs';

const step = (name: string, code: string, more: { after?: string[] } = {}) => ({
  name,
  command: [process.execPath, '-e', code],
  count: countOne,
  ...more,
});

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
});
afterEach(() => vi.restoreAllMocks());

test('every step runs and is reported, also after a failure', async () => {
  const results = await runSteps([
    step('bad', 'console.error("the reason"); process.exit(3)'),
    step('good', ''),
    step('last', '', { after: ['bad'] }),
  ]);
  expect(results.map(({ step: { name }, ok }) => [name, ok])).toEqual([
    ['bad', false],
    ['good', true],
    ['last', true],
  ]);
  expect(printed.join('\n')).toContain('the reason');
});

test('a step waits for the ones it comes after', async () => {
  await runSteps([step('late', '', { after: ['slow'] }), step('slow', 'setTimeout(() => {}, 150)')]);
  expect(printed.filter((text) => text.startsWith('✓')).map((text) => text.split(' ')[1])).toEqual([
    'slow',
    'late',
  ]);
});
