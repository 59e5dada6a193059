import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Bridge } from '../../../shared/contract/names';
import { calls } from '../scripted-model/script-reply';
import type { ScriptedModel } from '../scripted-model/scripted-model';

/** Calls the core as the window does, over the preload's bridge. */
export async function invoke<T>(page: Page, channel: string, input: unknown): Promise<T> {
  const envelope = await page.evaluate(
    async ([name, value]) => (window as unknown as { lathe: Bridge }).lathe.invoke(name, value),
    [channel, input] as const,
  );
  expect(envelope).toMatchObject({ ok: true });
  return (envelope as { value: T }).value;
}

/** Makes the model server at `baseUrl` the default model. */
export async function useModel(page: Page, baseUrl: string): Promise<void> {
  const provider = { providerId: null, name: 'Scripted', baseUrl, apiKey: 'test-key' };
  const { id } = await invoke<{ id: string }>(page, 'model.configure', provider);
  await invoke(page, 'model.setDefault', { model: `${id}/scripted` });
}

/** Sends a message as a user does. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** What each of the two Electron projects shows: an edit that is approved in the window, and a turn that is stopped. */
export async function runTurnAndStop(page: Page, model: ScriptedModel, project: string): Promise<void> {
  model.push(
    calls('read_file', { path: 'src/add.js' }),
    calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }),
    'Fixed the sum.',
  );
  await ask(page, 'Fix add');
  const dialog = page.getByRole('dialog', { name: 'Approval' });
  await dialog.getByRole('button', { name: 'Allow once' }).click();
  await expect(page.getByText('Fixed the sum.')).toBeVisible();
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');

  model.push({ text: 'Counting one two three', holdAfterChars: 8 });
  await ask(page, 'Count');
  await expect(page.getByText('Counting')).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
}
