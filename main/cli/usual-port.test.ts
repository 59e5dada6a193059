import { expect, test } from 'vitest';
import { AppError } from '../../shared/error';
import type { Core } from '../core/core';
import type { WebHost } from '../web/web-host';
import { onUsualPort } from './usual-port';

const webHost = (port: number): WebHost => ({
  port,
  url: '',
  token: '',
  newLink: () => '',
  close: () => Promise.resolve(),
});

function machine(taken: readonly number[]) {
  const kept = new Map<string, unknown>();
  const tried: number[] = [];
  const core = {
    store: {
      state: {
        get: (scope: string, key: string) => kept.get(`${scope} ${key}`),
        set: (scope: string, key: string, value: unknown) => void kept.set(`${scope} ${key}`, value),
      },
    },
  } as unknown as Core;
  const start = (port: number): Promise<WebHost> => {
    tried.push(port);
    if (taken.includes(port)) return Promise.reject(new AppError('conflict', 'Taken.'));
    return Promise.resolve(webHost(port === 0 ? 40_000 + tried.length : port));
  };
  return { tried, open: (asked: number) => onUsualPort(core, asked, start) };
}

test('the next start takes the same port; one that is taken by then gives way to another', async () => {
  const taken: number[] = [];
  const { tried, open } = machine(taken);
  const first = await open(0);
  expect((await open(0)).port).toBe(first.port);
  taken.push(first.port);
  const third = await open(0);
  expect(third.port).not.toBe(first.port);
  expect(tried).toEqual([0, first.port, first.port, 0]);
});

test('a port that was asked for is not replaced by another', async () => {
  const { open } = machine([5000]);
  await expect(open(5000)).rejects.toMatchObject({ code: 'conflict' });
});
