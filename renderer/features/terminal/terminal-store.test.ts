import { expect, test } from 'vitest';
import type { TerminalInfo } from '../../../shared/contract/terminal';
import { withList, type TerminalsState } from './terminal-store';

const info = (id: string): TerminalInfo => ({
  id: id as TerminalInfo['id'],
  title: id,
  shell: 'bash',
  running: true,
  exitCode: null,
});
const state = (ids: string[], activeId: string | null): TerminalsState => ({
  list: ids.map(info),
  activeId,
  loaded: true,
});

test('the active terminal stays when others come and go', () => {
  expect(withList(state(['a', 'b'], 'b'), [info('b'), info('c')]).activeId).toBe('b');
});

test('when the active terminal closes, its left neighbour follows', () => {
  expect(withList(state(['a', 'b', 'c'], 'c'), [info('a'), info('b')]).activeId).toBe('b');
  expect(withList(state(['a', 'b'], 'a'), [info('b')]).activeId).toBe('b');
  expect(withList(state(['a'], 'a'), []).activeId).toBeNull();
});
