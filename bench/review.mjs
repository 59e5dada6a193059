/** Scrolling through 300 hunks that wait for review, beside an empty scroll box of the same measures in the same browser. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { QUIET_BROWSER } from '../e2e/support/quiet-browser.ts';
import { ensureChromium } from '../scripts/lib/chromium.mjs';
import { call } from './fill-session.mjs';
import { startHost } from './host.mjs';
import { startModelServer } from './model-server.mjs';
import { median, quantile, round } from './statistics.mjs';

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

const STEP_PX = 120;
/** Each page is loaded and scrolled so often; medians are told. */
const ROUNDS = 3;
const VIEWPORT = { width: 1440, height: 900 };

/** Scrolls a box to its end, a step a frame; resolves to how far the frames were apart, in milliseconds. */
const scrollDown = (page, selector) =>
  page.evaluate(
    async ([box, step]) => {
      const element = document.querySelector(box);
      const frames = Math.ceil((element.scrollHeight - element.clientHeight) / step);
      const gaps = [];
      let before = performance.now();
      for (let frame = 0; frame < frames; frame += 1) {
        element.scrollTop += step;
        const now = await new Promise((drawn) => requestAnimationFrame(drawn));
        gaps.push(now - before);
        before = now;
      }
      return gaps;
    },
    [selector, STEP_PX],
  );

/**
 * Tasks of the page's main thread from a trace, the longest first, in milliseconds: by the clock, and by the processor's time, which
 * other programs lengthen less.
 */
function mainTasks(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const isMain = ({ pid, tid }) => mains.some((main) => main.pid === pid && main.tid === tid);
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && isMain(event));
  const longestFirst = (key) => tasks.map((task) => (task[key] ?? 0) / 1000).sort((a, b) => b - a);
  return { clock: longestFirst('dur'), cpu: longestFirst('tdur') };
}

/**
 * One scroll to the end. The 95th percentile is of as many of the longest tasks as there were frames: thousands of tiny ones
 * would hide what a frame takes.
 */
async function scrollThrough(browser, page, selector) {
  // Where a mouse's wheel would be: the browser looks for what is under the pointer as the content moves.
  const { x, y, width, height } = await page.locator(selector).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await browser.startTracing(page, { categories: ['toplevel'] });
  const gaps = await scrollDown(page, selector);
  const { clock, cpu } = mainTasks(await browser.stopTracing());
  return {
    frames: gaps.length,
    tasksOver50Ms: clock.filter((ms) => ms > 50).length,
    longestByClockMs: clock[0] ?? 0,
    longestMs: cpu[0] ?? 0,
    p95Ms: quantile(cpu.slice(0, gaps.length), 0.95),
    perFrameMs: cpu.reduce((sum, ms) => sum + ms, 0) / gaps.length,
    frameP95Ms: quantile(gaps, 0.95),
  };
}

/** Each figure's median over the rounds. */
const medians = (rounds) =>
  Object.fromEntries(
    Object.keys(rounds[0]).map((key) => [key, round(median(rounds.map((figures) => figures[key])), 2)]),
  );

/** A scroll box of the same size and as many pixels to scroll, at the same place, with nothing in it. */
async function scrollEmptyPage(browser, { box, contentPx }) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.setContent(
    `<div id="box" style="position:absolute;left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height}px;overflow:auto">
      <div style="height:${contentPx}px"></div>
    </div>`,
  );
  const figures = await scrollThrough(browser, page, '#box');
  await page.close();
  return figures;
}

async function openReview(page, url) {
  // The address lets a window in once; from then on it has its cookie.
  await (page.url() === 'about:blank' ? page.goto(url) : page.reload());
  await page.getByRole('button', { name: `${FILES} files to review` }).click();
  const shownAt = performance.now();
  await page
    .getByRole('group', { name: /^Change 1 of 50/ })
    .first()
    .waitFor();
  const openMs = performance.now() - shownAt;
  await page.waitForFunction(() => document.querySelectorAll('[aria-busy="true"][data-stop]').length === 0);
  return openMs;
}

/** The review scrolled for the first time, once more, and an empty page of the same measures. */
async function oneRound(browser, page, url) {
  const openMs = await openReview(page, url);
  const scroll = page.locator('.rv-scroll');
  const first = await scrollThrough(browser, page, '.rv-scroll');
  const box = await scroll.boundingBox();
  const contentPx = await scroll.evaluate((element) => element.scrollHeight);
  await scroll.evaluate((element) => (element.scrollTop = 0));
  const again = await scrollThrough(browser, page, '.rv-scroll');
  return { openMs, first, again, emptyPage: await scrollEmptyPage(browser, { box, contentPx }) };
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
    const page = await browser.newPage({ viewport: VIEWPORT });
    const rounds = [];
    for (let n = 0; n < ROUNDS; n += 1) rounds.push(await oneRound(browser, page, host.url));
    const of = (key) => medians(rounds.map((figures) => figures[key]));
    return {
      hunks: FILES * HUNKS_PER_FILE,
      openMs: round(median(rounds.map(({ openMs }) => openMs))),
      ...{ first: of('first'), again: of('again'), emptyPage: of('emptyPage') },
    };
  } finally {
    await browser.close();
    await host.stop();
    await model.close();
    rmSync(home, { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  }
}
