import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {'types' | 'lint'} Kind */
/** @typedef {Partial<Record<Kind, Record<string, string>>>} Digests by path below the root */

const RELATIVE_NAME = /['"`](\.{1,2}\/[^'"`?\n]*)/g;
const ENDINGS = ['', '.ts', '.tsx', '.d.ts', '.mjs', '.js', '/index.ts'];

/**
 * Remembers which files were found clean: each under a digest of the file, of everything that it names by a relative
 * path, directly or not, and of what decides over every file.
 *
 * @param {string} file where to remember
 * @param {string} root of the tree; nothing outside it counts
 * @param {readonly string[]} general what decides over every file, such as the rules
 */
export function openCleanRecord(file, root, general) {
  const contents = remembering((name) => readFileSync(name, 'utf8'));
  const digest = remembering((name) => digestOf([contents(name)]));
  const named = remembering((name) => filesNamedIn(name, contents(name)));
  const generalDigest = digestOf(general.map(contents));
  const key = remembering((name) => {
    const reached = new Set([name]);
    // Walking a set also visits what is added on the way.
    for (const one of reached) for (const next of named(one)) reached.add(next);
    return digestOf([generalDigest, ...[...reached].sort().map((one) => `${one} ${digest(one)}`)]);
  });
  const before = readDigests(file);
  /** @type {Digests} */
  const now = {};

  /** Whether `name` is what it was when it was found clean. */
  const isClean = (/** @type {Kind} */ kind, /** @type {string} */ name) => {
    const isSame = before[kind]?.[path.relative(root, name)] === key(name);
    if (isSame) add(kind, name);
    return isSame;
  };
  const add = (/** @type {Kind} */ kind, /** @type {string} */ name) => {
    (now[kind] ??= {})[path.relative(root, name)] = key(name);
  };
  const save = () => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...before, ...now }));
  };
  return { isClean, add, save };
}

function filesNamedIn(/** @type {string} */ file, /** @type {string} */ text) {
  return [...text.matchAll(RELATIVE_NAME)].flatMap(([, name = '']) => {
    const target = path.resolve(path.dirname(file), name);
    return ENDINGS.map((ending) => target + ending).find(isFile) ?? [];
  });
}

const isFile = remembering((name) => statSync(name, { throwIfNoEntry: false })?.isFile() ?? false);

function digestOf(/** @type {readonly string[]} */ parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64');
}

/** @returns {Digests} */
function readDigests(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Never written, or cut off: then everything is looked at.
    return {};
  }
}

/**
 * @template T
 * @param {(name: string) => T} compute
 * @returns {(name: string) => T}
 */
function remembering(compute) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (name) => {
    const found = known.get(name) ?? compute(name);
    known.set(name, found);
    return found;
  };
}
