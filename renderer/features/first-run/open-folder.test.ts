import { expect, test } from 'vitest';
import type { Client } from '../../../shared/contract/contract';
import { ProjectInfo } from '../../../shared/contract/project';
import { AppError } from '../../../shared/error';
import { openFolder } from './open-folder';

function host(pick: Client['project']['pickFolder']) {
  const opened: string[] = [];
  const project = {
    pickFolder: pick,
    open: async ({ path }: { path: string }) => {
      opened.push(path);
      return ProjectInfo.parse({
        id: 'p1',
        name: 'p',
        path,
        branch: null,
        lastOpenedAt: 1,
        exists: true,
        isTour: false,
      });
    },
  } as Partial<Client['project']> as Client['project'];
  return { client: { project }, opened };
}

test('the picked folder is opened', async () => {
  const { client, opened } = host(async () => ({ path: '/code/app' }));
  expect(await openFolder(client)).toBe('opened');
  expect(opened).toEqual(['/code/app']);
});

test('a cancelled dialog opens nothing', async () => {
  const { client, opened } = host(async () => null);
  expect(await openFolder(client)).toBe('cancelled');
  expect(opened).toEqual([]);
});

test('a host without a dialog says so; other failures pass through', async () => {
  const without = host(() => Promise.reject(new AppError('unsupported', 'No dialog here.')));
  expect(await openFolder(without.client)).toBe('unsupported');
  const broken = host(() => Promise.reject(new AppError('io_failed', 'The dialog broke.')));
  await expect(openFolder(broken.client)).rejects.toThrow('The dialog broke.');
});
