/** The window in a real browser: how soon it stands, and what drawing one more token costs in a short and a long session. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { chromium } from 'playwright';
import { fillSession } from './fill-session.mjs';
import { QUIET_BROWSER } from '../e2e/support/quiet-browser.ts';
import { ensureChromium } from '../scripts/lib/chromium.mjs';
import { startHost } from './host.mjs';
import { startModelServer } from './model-server.mjs';
import { median, round } from './statistics.mjs';

const SESSIONS = { short: 20, long: 2000 };
const REGIONS = ['Explorer', 'Editor', 'Terminal', 'Chat', 'Status'];

async function windowReadyMs(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const before = performance.now();
  await page.goto(url);
  for (const name of REGIONS) await page.getByRole('region', { name, exact: true }).waitFor();
  await page.getByRole('treeitem').first().waitFor();
  const ready = performance.now() - before;
  return { page, ready };
}

/** Main-thread milliseconds per streamed word while one answer of `words` words is drawn. */
async function tokenCostMs(page, words) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const taskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const before = await taskMs();
  await page.getByRole('textbox', { name: 'Message' }).fill('Go on.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  const cost = ((await taskMs()) - before) / words;
  await session.detach();
  return cost;
}

export async function measureWindow({ node, cli, project }) {
  const words = 600;
  const model = await startModelServer({ turns: 0, words, delayMs: 4 });
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  const browser = await chromium.launch({
    executablePath: await ensureChromium(console.error),
    args: QUIET_BROWSER,
  });
  const host = await startHost({ node, cli, project, home, model });
  try {
    const { page, ready } = await windowReadyMs(browser, host.url);
    for (const [title, messages] of Object.entries(SESSIONS)) await fillSession(host, title, messages);
    const costs = {};
    for (const title of ['short', 'long']) {
      await page.reload();
      await page.getByRole('region', { name: 'Chat', exact: true }).waitFor();
      await openSession(page, title);
      const runs = [];
      for (let run = 0; run < 4; run += 1) runs.push(await tokenCostMs(page, words));
      costs[title] = median(runs.slice(1));
    }
    return {
      windowReadyMs: round(ready),
      tokenMs: { in20Messages: round(costs.short, 3), in2000Messages: round(costs.long, 3) },
      tokenRatio: round(costs.long / costs.short, 2),
    };
  } finally {
    await browser.close();
    await host.stop();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function openSession(page, title) {
  await page.locator('#side-bar').getByRole('tab', { name: 'Sessions' }).click();
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button').first().click();
  await page.locator('#side-bar').getByRole('tab', { name: 'Explorer' }).click();
}
