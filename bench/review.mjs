/** Scrolling through 300 hunks that wait for review, beside scrolling a page with nothing on it in the same browser. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { QUIET_BROWSER } from '../e2e/support/quiet-browser.ts';
import { ensureChromium } from '../scripts/lib/chromium.mjs';
import { call } from './fill-session.mjs';
import { startHost } from './host.mjs';
import { startModelServer } from './model-server.mjs';
import { quantile, round } from './statistics.mjs';

const FILES = 6;
const HUNKS_PER_FILE = 50;
const LINES_PER_HUNK = 10;

const pathOf = (file) => `src/part${file}.ts`;

/** Every tenth line is another one in the changed text. */
function textOf(file, changed) {
  const lines = Array.from({ length: HUNKS_PER_FILE * LINES_PER_HUNK }, (_, line) =>
    line % LINES_PER_HUNK === 5 && changed
      ? `export const value${line} = await readThing('${file}', { deep: true, line: ${line} }); // changed`
      : `export const value${line} = readThing('${file}', ${line}); // as it was`,
  );
  return `${lines.join('\n')}\n`;
}

function makeProject() {
  const project = mkdtempSync(join(tmpdir(), 'lathe-bench-review-'));
  mkdirSync(join(project, 'src'));
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(project, pathOf(file)), textOf(file, false));
  return project;
}

/** Reads and writes each file. */
const callFor = (n) => {
  const file = Math.floor(n / 2);
  return n % 2 === 0
    ? ['read_file', { path: pathOf(file) }]
    : ['write_file', { path: pathOf(file), content: textOf(file, true) }];
};

/** Scrolls a box on by `steps` frames; resolves to how far those were apart, in milliseconds. */
const scrollOn = (page, selector, steps) =>
  page.evaluate(
    async ([box, count]) => {
      const element = document.querySelector(box);
      const gaps = [];
      let before = performance.now();
      for (let step = 0; step < count; step += 1) {
        element.scrollTop += 120;
        const now = await new Promise((drawn) => requestAnimationFrame(drawn));
        gaps.push(now - before);
        before = now;
      }
      return gaps;
    },
    [selector, steps],
  );

/** Tasks of the page's main thread from a trace: by the clock, and by the processor's time, which other programs don't lengthen. */
function mainTasks(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const isMain = ({ pid, tid }) => mains.some((main) => main.pid === pid && main.tid === tid);
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && isMain(event));
  return {
    clock: tasks.map(({ dur }) => (dur ?? 0) / 1000),
    cpu: tasks.map(({ tdur }) => (tdur ?? 0) / 1000),
  };
}

async function scrollThrough(browser, page, selector) {
  await browser.startTracing(page, { categories: ['toplevel'] });
  const gaps = await scrollOn(page, selector, STEPS);
  const { clock, cpu } = mainTasks(await browser.stopTracing());
  const over = (tasks) => tasks.filter((ms) => ms > 50).length;
  return {
    tasksOver50Ms: { byClock: over(clock), byCpu: over(cpu) },
    longestTaskMs: { byClock: round(Math.max(0, ...clock)), byCpu: round(Math.max(0, ...cpu)) },
    frameMs: { median: round(quantile(gaps, 0.5)), p95: round(quantile(gaps, 0.95)) },
  };
}

const STEPS = 300;

async function emptyPage(browser) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.setContent(
    '<div id="box" style="height:800px;overflow:auto"><div style="height:200000px"></div></div>',
  );
  const result = await scrollThrough(browser, page, '#box');
  await page.close();
  return result;
}

export async function measureReview({ node, cli }) {
  const project = makeProject();
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  writeFileSync(join(home, 'settings.jsonc'), '{ "chat.review.mode": "after" }');
  const model = await startModelServer({ turns: FILES * 2, words: 3, callFor });
  const browser = await chromium.launch({
    executablePath: await ensureChromium(console.error),
    args: QUIET_BROWSER,
  });
  const host = await startHost({ node, cli, project, home, model });
  try {
    await call(host, 'POST', '/api/turns', { text: 'Change all parts', mode: 'agent' });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(host.url);
    await page.getByRole('button', { name: `${FILES} files to review` }).click();
    const shownAt = performance.now();
    await page
      .getByRole('group', { name: /^Change 1 of 50/ })
      .first()
      .waitFor();
    const openMs = performance.now() - shownAt;
    await page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"][data-stop]').length === 0);
    const first = await scrollThrough(browser, page, '.rv-scroll');
    await page.locator('.rv-scroll').evaluate((box) => (box.scrollTop = 0));
    const again = await scrollThrough(browser, page, '.rv-scroll');
    return {
      hunks: FILES * HUNKS_PER_FILE,
      openMs: round(openMs),
      first,
      again,
      emptyPage: await emptyPage(browser),
    };
  } finally {
    await browser.close();
    await host.stop();
    await model.close();
    rmSync(home, { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  }
}
