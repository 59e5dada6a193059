import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../support/fixtures';

test('case-T03, T09: the status bar names a detached commit, a merge and a rebase, and the branch again afterwards', async ({
  window,
  project,
}) => {
  const run = (...args: string[]): string =>
    execFileSync('git', ['-C', project, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      stdio: 'pipe',
    }).toString();
  const commit = async (text: string): Promise<void> => {
    await writeFile(join(project, 'README.md'), text);
    run('commit', '-qam', text.trim());
  };
  const status = window.getByRole('region', { name: 'Status', exact: true });
  await expect(status.getByRole('button', { name: 'main', exact: true })).toBeVisible();
  run('checkout', '-q', '--detach');
  await expect(status).toContainText(`${run('rev-parse', 'HEAD').slice(0, 7)} (detached)`);
  await expect(window.getByRole('banner')).toContainText('(detached)');
  run('checkout', '-q', '-b', 'side');
  await commit('side\n');
  run('checkout', '-q', 'main');
  await commit('main\n');
  expect(() => run('merge', '-q', 'side')).toThrow();
  await expect(status).toContainText('main (merging)');
  run('merge', '--abort');
  await expect(status.getByRole('button', { name: 'main', exact: true })).toBeVisible();
  expect(() => run('rebase', '-q', 'side')).toThrow();
  await expect(status).toContainText('main (rebasing)');
});
