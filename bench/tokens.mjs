/** How far the estimate of tokens is off from what tokenizers count, without and with what a provider's counts have taught. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { quantile, round } from './statistics.mjs';

const percent = (share) => round(share * 100, 1);

function summary(errors) {
  const sizes = errors.map(Math.abs);
  return {
    meanPercent: percent(sizes.reduce((sum, size) => sum + size, 0) / sizes.length),
    worstPercent: percent(Math.max(...sizes)),
    p90Percent: percent(quantile(sizes, 0.9)),
  };
}

/** A session's requests grow: after each one its true count is known, and the next one is estimated with it. */
function calibrated(samples, encoding, { estimateTextTokens, TokenCalibration }) {
  const calibration = new TokenCalibration({ get: () => null, set: () => undefined });
  const errors = [];
  let [estimated, counted] = [0, 0];
  for (const sample of samples) {
    estimated += estimateTextTokens(sample.text);
    counted += sample[encoding];
    errors.push((estimated * calibration.ratio('m')) / counted - 1);
    calibration.learn('m', counted, estimated);
  }
  return errors;
}

/** @returns figures in percent of the true count, for each tokenizer */
export async function measureTokens(root) {
  const samples = JSON.parse(readFileSync(join(root, 'bench/token-samples.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-tokens-'));
  const context = join(root, 'main/core/context');
  await build({
    input: {
      tokens: join(context, 'tokens.ts'),
      calibration: join(context, 'token-calibration.ts'),
    },
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
    platform: 'node',
    // Its own packages are looked for beside the sources.
    cwd: root,
    logLevel: 'silent',
  });
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const core = { ...(await load('tokens')), ...(await load('calibration')) };
  rmSync(folder, { recursive: true, force: true });
  const report = {};
  for (const encoding of ['o200k', 'cl100k']) {
    const alone = samples.map(({ text, [encoding]: counted }) => core.estimateTextTokens(text) / counted - 1);
    const byFour = samples.map(({ text, [encoding]: counted }) => text.length / 4 / counted - 1);
    report[encoding] = {
      charactersByFour: summary(byFour),
      estimate: summary(alone),
      calibratedSession: summary(calibrated(samples, encoding, core).slice(1)),
    };
  }
  return report;
}
