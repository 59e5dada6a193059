import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts `lathe serve` on a project and waits for the line that says where it is. */
export async function startHost({ node, cli, project, home, model }) {
  const args = [
    'serve',
    '--project',
    project,
    '--no-open',
    '--json',
    '--base-url',
    model.url,
    '--model',
    'mock',
    '--api-key',
    'bench',
  ];
  const child = spawn(node, [cli, ...args], {
    env: { ...process.env, LATHE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the host ended with ${code}`)));
  });
  const stop = async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  return { ...JSON.parse(line), pid: child.pid, stop };
}
