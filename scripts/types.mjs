// Type-checks each folder against its own tsconfig, two at a time; each remembers what it knows from last time.
import './lib/require-node.mjs';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { runCaptured } from './lib/run.mjs';
import { ensureInstalled, fail, requireModernNode, say } from './lib/setup.mjs';

const LANES = 2;

// The slowest first, so that the two lanes end together.
const PROJECTS = [
  'main/tsconfig.json',
  'renderer/tsconfig.json',
  'renderer/tsconfig.test.json',
  'e2e/tsconfig.json',
  'shared/tsconfig.test.json',
  'scripts/tsconfig.json',
  'preload/tsconfig.json',
  'shared/tsconfig.json',
];

try {
  await ensureInstalled(say);
  const queue = PROJECTS.filter(hasSources);
  const lane = async () => {
    for (let project = queue.shift(); project; project = queue.shift()) await check(project);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
} catch (error) {
  fail(error);
}

async function check(/** @type {string} */ project) {
  const tsc = inRoot('node_modules/typescript/bin/tsc');
  const { code, output } = await runCaptured(requireModernNode(), [tsc, '-p', project]);
  if (code === 0) return;
  process.stdout.write(output);
  process.exitCode = 1;
}

/** A project without a file is an error to tsc, but not to us: somebody may be about to write the first one. */
function hasSources(/** @type {string} */ project) {
  const folder = path.dirname(project);
  const wantsTests = project.endsWith('.test.json');
  const excludesTests = !wantsTests && existsSync(inRoot(`${folder}/tsconfig.test.json`));
  return readdirSync(inRoot(folder), { recursive: true })
    .map(String)
    .filter((file) => /[.](?:tsx?|mjs)$/.test(file))
    .some((file) => (/[.]test[.]tsx?$/.test(file) ? !excludesTests : !wantsTests));
}
