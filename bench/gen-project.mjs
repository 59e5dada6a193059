/**
 * A synthetic project for measurements: many source files of ordinary size, the same bytes on every machine. A few files
 * hold a marker that occurs once (NEEDLE_n), and bench/target.ts is what the scripted turn reads and edits.
 *
 *   node bench/gen-project.mjs DIR [files] [bytes]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const FILES = 8000;
export const BYTES = 60_000_000;
/** Every how many files a marker stands in one. */
const NEEDLE_EVERY = 1000;

/** mulberry32: small, seeded, good enough for text. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const NOUNS =
  'ledger invoice parcel route depot driver customer address tariff label scan pallet crane berth tide manifest seal gate weight rate'.split(
    ' ',
  );

function moduleText(rng, index, size) {
  const pick = () => NOUNS[Math.floor(rng() * NOUNS.length)];
  const lines = [`// Module ${index}`];
  if (index % NEEDLE_EVERY === NEEDLE_EVERY / 2) lines.push(`// NEEDLE_${index}`);
  let length = lines.join('\n').length;
  for (let n = 0; length < size; n += 1) {
    const [a, b] = [pick(), pick()];
    const block = `export function ${a}Of${b}${index}_${n}(${a}: number, ${b}: number): number {\n  const ${a}Total = ${a} * ${Math.floor(rng() * 900)} + ${b};\n  if (${a}Total < ${Math.floor(rng() * 100)}) return ${b};\n  return ${a}Total - ${(rng() * 10).toFixed(2)};\n}\n`;
    lines.push(block);
    length += block.length;
  }
  return `${lines.join('\n')}\n`;
}

/** Value lines of bench/target.ts: line 2 + n is `export const value000 = 0;` and so on. */
export const valueLine = (n) => `export const value${String(n).padStart(3, '0')} = ${n};`;
export const needle = (n) => `NEEDLE_${(n % 8) * NEEDLE_EVERY + NEEDLE_EVERY / 2}`;

export function generateProject(dir, files = FILES, bytes = BYTES) {
  rmSync(dir, { recursive: true, force: true });
  const rng = random(20261130);
  const put = (path, text) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  for (let index = 0; index < files; index += 1) {
    const size = (bytes / files) * (0.3 + 1.4 * rng());
    put(`src/${NOUNS[index % 20]}/part${index % 11}/module-${index}.ts`, moduleText(rng, index, size));
  }
  put(
    'bench/target.ts',
    `// edit target\n${Array.from({ length: 400 }, (_, n) => valueLine(n)).join('\n')}\n`,
  );
  put('package.json', '{ "name": "bench-project", "private": true }\n');
  put('.gitignore', 'node_modules\n');
  const git = (...args) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...args], {
      stdio: 'pipe',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'generated');
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split('/').at(-1))) {
  const [dir, files, bytes] = process.argv.slice(2);
  if (!dir) throw new Error('usage: node bench/gen-project.mjs DIR [files] [bytes]');
  generateProject(dir, Number(files ?? FILES), Number(bytes ?? BYTES));
}
