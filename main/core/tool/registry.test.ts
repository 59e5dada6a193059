import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define';
import { createToolRegistry } from './registry';
import { startBench } from './testing/tool-bench';

const named = (name: string) =>
  defineTool({
    name,
    effect: 'read',
    describe: 'Answers.',
    input: z.object({ text: z.string() }),
    modes: ['agent'],
    subject: () => ({ paths: [] }),
    label: () => 'Answered',
    run: ({ text }) => Promise.resolve({ text: `said ${text}` }),
  });

test('fault-F109: a tool whose name providers refuse is listed and called under a legal one', async () => {
  const bench = await startBench({ extraTools: [named('mcp server.say/it')] });
  const spec = bench.registry.specsFor('agent').at(-1);
  expect(spec?.name).toMatch(/^mcp_server_say_it_[0-9a-f]{8}$/);
  expect(await bench.text(spec?.name ?? '', { text: 'hi' })).toBe('said hi');
});

test('two tools never share a name', () => {
  expect(() => createToolRegistry([named('a'), named('a')])).toThrow('two tools are named a');
  expect(createToolRegistry([named('a.b'), named('a/b')]).names()).toHaveLength(2);
});
