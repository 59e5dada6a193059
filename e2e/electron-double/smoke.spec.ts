import { readdir } from 'node:fs/promises';
import { expect, test } from '../support/electron-double/app-fixture';
import { ask, runTurnAndStop, useModel } from '../support/electron-double/app-window';
import { windowReady } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

/** As long as a person needs at least: sooner answers count for nothing. */
async function readableTime(): Promise<void> {
  const shownAt = performance.now();
  await expect.poll(() => performance.now() - shownAt).toBeGreaterThan(600);
}

test.describe('Electron double (not Electron)', () => {
  test('the compiled app starts, runs an approved turn, stops one and quits', async ({
    app,
    model,
    project,
  }) => {
    const page = await app.window();
    await windowReady(page);
    await useModel(page, model.url);

    await runTurnAndStop(page, model, project);

    await app.control('menu.click', ['File', 'quit']);
    expect(await app.exited).toBe(0);
    expect(app.leftOver()).toEqual([]);
  });

  test('a short command is asked in a native message box, and only there', async ({
    app,
    model,
    project,
  }) => {
    const page = await app.window();
    await windowReady(page);
    await useModel(page, model.url);

    model.push(calls('run_command', { command: 'mkdir made-by-agent' }), 'The folder is there.');
    await ask(page, 'Make a folder');
    const box = await app.next('dialog');
    expect(box.options).toMatchObject({ message: 'Run a command?', defaultId: 0, cancelId: 0 });
    expect(box.options['detail']).toContain(`mkdir made-by-agent\n\nFolder: ${project}`);
    const buttons = box.options['buttons'] as string[];
    expect(buttons[0]).toBe('Deny');
    await expect(page.getByRole('dialog', { name: 'Approval' })).toHaveCount(0);
    // Sooner than a person could have read it: asked again.
    await app.control('dialog.answer', { id: box.id, answer: buttons.indexOf('Allow once') });
    const again = await app.next('dialog');
    await readableTime();
    await app.control('dialog.answer', { id: again.id, answer: buttons.indexOf('Allow once') });
    await expect(page.getByText('The folder is there.')).toBeVisible();
    expect(await readdir(project)).toContain('made-by-agent');

    model.push(calls('run_command', { command: 'mkdir second' }), 'Second is there.');
    await ask(page, 'Another one');
    const third = await app.next('dialog');
    await readableTime();
    await app.control('dialog.answer', { id: third.id, answer: buttons.indexOf('Review…') });
    const dialog = page.getByRole('dialog', { name: 'Approval' });
    await dialog.getByRole('button', { name: 'Allow once' }).click();
    await expect(page.getByText('Second is there.')).toBeVisible();
  });
});
