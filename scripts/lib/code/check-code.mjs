import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { cacheDir, root as ownRoot } from '../paths.mjs';
import { openCleanRecord } from './clean-record.mjs';
import { codeFiles } from './code-files.mjs';
import { programMaker, projectsOf } from './projects.mjs';

/**
 * Checks the types and lints, each file once and in the project that lists it; tsc would check what several projects
 * import in each of them. What was clean is not looked at again until it or something that it imports has changed.
 *
 * @param {object} options
 * @param {boolean} options.types whether to check the types
 * @param {boolean} options.lint whether to lint
 * @param {string} [options.root] the tree
 * @param {string} [options.record] the file in which to remember what was clean
 * @returns {Promise<{ report: string, ok: boolean, looked: number }>} what was found, for reading; `looked` is the
 *   number of files that were not known to be clean
 */
export async function checkCode({ types, lint, root = ownRoot, record: recordFile = RECORD }) {
  const eslint = new ESLint({ cwd: root });
  const projects = projectsOf(root);
  const files = await codeFiles(root, (file) => eslint.isPathIgnored(file));
  const record = openCleanRecord(recordFile, root, generalFiles(root, projects, files));
  const programOf = programMaker();
  const left = new Set(files);
  const seen = new Set();
  /** @type {ts.Diagnostic[]} */
  const diagnostics = [];
  /** @type {ESLint.LintResult[]} */
  const results = [];
  let looked = 0;

  for (const project of projects) {
    const own = project.files.filter((file) => !seen.has(file));
    for (const file of own) (seen.add(file), left.delete(file));
    const toCheck = types ? own.filter((file) => !record.isClean('types', file)) : [];
    const toLint = lint ? own.filter((file) => !record.isClean('lint', file)) : [];
    if (toCheck.length + toLint.length === 0) continue;
    looked += new Set([...toCheck, ...toLint]).size;
    const program = programOf(project);
    if (types) diagnostics.push(...checkTypes(program, toCheck, record));
    results.push(...(await lintFiles(root, toLint, record, program)));
  }

  const strays = [...left].filter((file) => /[.][cm]?tsx?$/.test(file));
  const plain = [...left].filter((file) => !strays.includes(file) && lint && !record.isClean('lint', file));
  results.push(...(await lintFiles(root, plain, record)));
  record.save();
  const report = [
    formatDiagnostics(diagnostics, root),
    ...strays.map((file) => `${path.relative(root, file)}: error: no tsconfig lists this file`),
    await (await eslint.loadFormatter('stylish')).format(results),
  ];
  return {
    report: report.filter((part) => part.trim()).join('\n'),
    ok: diagnostics.length + strays.length === 0 && results.every(({ errorCount }) => errorCount === 0),
    looked: looked + plain.length,
  };
}

const RECORD = path.join(cacheDir, 'lathe-code.json');

/** What decides over every file: packages, rules, options, what is declared for all, and this very check. */
function generalFiles(
  /** @type {string} */ root,
  /** @type {readonly import('./projects.mjs').Project[]} */ projects,
  /** @type {readonly string[]} */ files,
) {
  const atRoot = ['package-lock.json', 'eslint.config.js', 'tsconfig.json', 'tsconfig.base.json'];
  const declaring = [...files, ...projects.flatMap((project) => project.files)].filter(
    (file) => file.endsWith('.d.ts') || readFileSync(file, 'utf8').includes('declare global'),
  );
  const own = readdirSync(import.meta.dirname).map((name) => path.join(import.meta.dirname, name));
  return [
    ...atRoot.map((name) => path.join(root, name)).filter((file) => existsSync(file)),
    ...projects.map(({ configFile }) => configFile),
    ...declaring,
    ...own,
  ];
}

/** @typedef {ReturnType<typeof openCleanRecord>} CleanRecord */

function checkTypes(
  /** @type {ts.Program} */ program,
  /** @type {readonly string[]} */ files,
  /** @type {CleanRecord} */ record,
) {
  const general = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
  ];
  const specific = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (general.length + found.length === 0) record.add('types', file);
    return found;
  });
  return [...general, ...specific];
}

/** With a program, its syntax trees and types serve the rules; else the files are linted by themselves. */
async function lintFiles(
  /** @type {string} */ root,
  /** @type {string[]} */ files,
  /** @type {CleanRecord} */ record,
  /** @type {ts.Program | undefined} */ program = undefined,
) {
  if (files.length === 0) return [];
  const parserOptions = { programs: [program], projectService: false };
  const eslint = new ESLint({
    cwd: root,
    warnIgnored: false,
    overrideConfig: program && [{ files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } }],
  });
  const results = await eslint.lintFiles(files);
  for (const { filePath, messages } of results) if (messages.length === 0) record.add('lint', filePath);
  return results;
}

function formatDiagnostics(/** @type {readonly ts.Diagnostic[]} */ diagnostics, /** @type {string} */ root) {
  const host = {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (/** @type {string} */ name) => name,
    getNewLine: () => '\n',
  };
  return process.stdout.isTTY
    ? ts.formatDiagnosticsWithColorAndContext(diagnostics, host)
    : ts.formatDiagnostics(diagnostics, host);
}
