import { expect, test } from 'vitest';
import { z } from 'zod';
import { diffFile } from '../edit/diff';
import { sha256 } from '../workspace/workspace-files';
import type { WrittenCall } from '../change/log/call-recorder';
import { startBench } from './testing/tool-bench';
import type { ToolDefinition } from './types';

const hash = (text: string): string => sha256(Buffer.from(text));

test('a write that lands after its call was stopped is still told to the change log', async () => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow: ToolDefinition = {
    name: 'slow_write',
    effect: 'write',
    describe: '',
    input: z.object({}),
    modes: ['agent'],
    subject: () => ({ paths: ['a.txt'] }),
    label: () => 'Writing slowly',
    run: async () => {
      begun.resolve();
      await gate.promise;
      const sides = { before: 'one\n', after: 'two\n', beforeHash: hash('one\n'), afterHash: hash('two\n') };
      return { text: 'done', diffs: [diffFile({ path: 'a.txt', ...sides })], label: 'Wrote slowly' };
    },
  };
  const told: WrittenCall[] = [];
  const heard = Promise.withResolvers<void>();
  const bench = await startBench({
    files: { 'a.txt': 'one\n' },
    extraTools: [slow],
    runner: {
      recordCall: (call) => {
        told.push(call);
        heard.resolve();
        return Promise.resolve();
      },
    },
  });
  const outcome = bench.call('slow_write', {});
  await begun.promise;
  bench.stop.abort();
  expect((await outcome).state).toBe('cancelled');
  expect(told).toEqual([]);
  gate.resolve();
  await heard.promise;
  expect(told).toMatchObject([{ label: 'Wrote slowly', isLate: true, isReviewed: false }]);
});
