/** What finding the place of an edit costs in a file of 10,000 lines, per strategy, and what a diff of such a file does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { quantile, round } from './statistics.mjs';

const LINES = 10_000;
const CHANGES = 200;
const ROUNDS = 15;

/** @returns a file that repeats itself as real ones do: many equal short lines, few that are alone. */
function bigFile() {
  const lines = [];
  for (let at = 0; lines.length < LINES; at += 1) {
    lines.push(
      `export function step${at}(input: Input, options: Options = {}): Output {`,
      `  const value = read(input, '${at % 97}');`,
      '  if (value === null) {',
      '    return empty(options);',
      '  }',
      `  log("step", ${at % 13});`,
      `  return convert(value, options, ${at});`,
      '}',
      '',
    );
  }
  return lines.slice(0, LINES);
}

function timed(work) {
  const times = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return { bestMs: round(Math.min(...times), 2), medianMs: round(quantile(times, 0.5), 2) };
}

async function loadCore(root) {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-edit-'));
  const from = join(root, 'main/core/edit');
  await build({
    input: {
      replace: join(from, 'replace.ts'),
      codec: join(from, 'text-codec.ts'),
      diff: join(from, 'diff.ts'),
    },
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
    platform: 'node',
    // Its own packages are looked for beside the sources.
    cwd: root,
    logLevel: 'silent',
  });
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const core = { ...(await load('replace')), ...(await load('codec')), ...(await load('diff')) };
  rmSync(folder, { recursive: true, force: true });
  return core;
}

/** Slips of a model, each of which only the strategy of its name finds. */
const SLIPS = {
  exact: (block) => block,
  'line-trimmed': (block) => block.map((line) => `${line}  `),
  'whitespace-normalised': (block) => block.map((line) => line.replace(' = ', '   = ')),
  'indentation-flexible': (block) => block.map((line) => `    ${line}`),
  'escape-normalised': (block) => [block.join('\\n').replaceAll('"', '\\"')],
  'unicode-normalised': (block) => block.map((line) => line.replaceAll('"', '\u201c')),
  'block-anchor': (block) => block.map((line) => line.replace('empty(options)', 'empty()')),
  refused: (block) => block.map((line) => line.replace('step', 'stop')),
};

/** @returns milliseconds per strategy (all the stricter ones were tried first), of a refusal with its nearest place, and of a diff */
export async function measureEdits(root) {
  const { applyEdits, textFile, diffFile } = await loadCore(root);
  const lines = bigFile();
  const text = `${lines.join('\n')}\n`;
  const start = Math.floor((LINES * 0.9) / 9) * 9;
  const block = lines.slice(start, start + 8);
  const report = { lines: LINES };
  for (const [name, slip] of Object.entries(SLIPS)) {
    const oldString = slip(block).join('\n');
    const newString = oldString.replace('convert(value', 'turn(value');
    let strategy = 'refused';
    report[name] = timed(() => {
      try {
        const edits = [{ oldString, newString, replaceAll: false }];
        strategy = applyEdits(textFile(text, 'utf-8', false), edits, 'f').edits[0].strategy;
      } catch (error) {
        if (error.code !== 'not_found') throw error;
      }
    });
    if (strategy !== name) throw new Error(`${name} was found by ${strategy}`);
  }
  const changed = lines.map((line, at) => (at % (LINES / CHANGES) === 7 ? `${line} // changed` : line));
  const sides = {
    path: 'f',
    before: text,
    after: `${changed.join('\n')}\n`,
    beforeHash: null,
    afterHash: null,
  };
  report.diffOf200Changes = timed(() => diffFile(sides));
  return report;
}
