import { readdir } from 'node:fs/promises';
import path from 'node:path';

const CODE = /[.][cm]?[jt]sx?$/;

/**
 * All files of code below `root`, in order; nothing hidden and no packages.
 *
 * @param {string} root
 * @param {(file: string) => Promise<boolean>} isIgnored whether a file of code is of no interest
 * @returns {Promise<string[]>} absolute
 */
export async function codeFiles(root, isIgnored) {
  const entries = await readdir(root, { withFileTypes: true });
  const found = await Promise.all(entries.filter(({ name }) => isOurs(name)).map(below));
  return found.flat().sort();

  async function below(/** @type {import('node:fs').Dirent} */ entry) {
    const file = path.join(root, entry.name);
    // What is built may come and go at any moment, so a folder that is ignored is not read at all.
    if (entry.isDirectory())
      return (await isIgnored(path.join(file, 'any.js'))) ? [] : codeFiles(file, isIgnored);
    return entry.isFile() && CODE.test(file) && !(await isIgnored(file)) ? [file] : [];
  }
}

const isOurs = (/** @type {string} */ name) => !name.startsWith('.') && name !== 'node_modules';
