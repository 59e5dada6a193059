import { open, statfs } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { startHost, type Host } from './host';
import { smallDisk } from './launchers';
import type { ScriptedModel } from './scripted-model/scripted-model';

export interface SmallDiskHost extends AsyncDisposable {
  readonly host: Host;
  /** Path of a file on the small disk, as seen from here. */
  inside(name: string): string;
}

/**
 * Starts a host that sees an empty disk of `kib` KiB at `folder`; the test is skipped where the system lets nobody mount
 * one. When it is disposed of, replies that were held back are let go and the host ends.
 */
export async function startOnSmallDisk(
  folder: string,
  kib: number,
  options: { home: string; project: string; model: ScriptedModel },
): Promise<SmallDiskHost> {
  const { home, project, model } = options;
  const disk = smallDisk(folder, kib);
  test.skip(disk === null, 'This system lets nobody mount a small disk in a namespace of its own.');
  const host = await startHost({ home, project, modelUrl: model.url, launcher: disk?.launcher ?? [] });
  return {
    host,
    inside: (name) => disk?.inside(host.process.pid ?? 0, name) ?? name,
    async [Symbol.asyncDispose]() {
      model.release();
      await host.stop();
    },
  };
}

/** Writes into `path` until its disk takes not one more page, and makes sure of it. */
export async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'w');
  for (const size of [1 << 20, 1 << 16, 1 << 12]) {
    const block = Buffer.alloc(size);
    for (let room = true; room;) {
      room = await file.write(block).then(
        ({ bytesWritten }) => bytesWritten === size,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error;
          return false;
        },
      );
    }
  }
  await file.close();
  expect((await statfs(path)).bavail).toBe(0);
}
