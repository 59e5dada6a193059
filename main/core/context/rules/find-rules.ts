import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { RuleFile, RuleFormat } from './rule-file';
import { readRule, type RuleSource } from './read-rule';

export interface RulePlaces {
  projectRoot: string;
  /** The user's own files and the machine's too. */
  userFiles: boolean;
  /** Home folder; default: the user's. */
  home?: string;
  /** LATHE_HOME, for the AGENTS.md in it. */
  dataDir?: string;
}

/** Plain files that count in the folder they lie in, in this order. The first of a group stands for it. */
const PLAIN_GROUPS: readonly (readonly string[])[] = [
  ['AGENTS.override.md', 'AGENTS.md'],
  ['CLAUDE.md', '.claude/CLAUDE.md'],
  ['CLAUDE.local.md'],
  ['GEMINI.md'],
  ['.github/copilot-instructions.md'],
  ['.cursorrules'],
  ['.cursor/rules'],
  ['.livecode/rules'],
  ['.clinerules'],
  ['.windsurfrules'],
  ['.goosehints'],
];

/** Files that count once something in their folder is touched. */
export const FOLDER_GROUPS: readonly (readonly string[])[] = [
  ['AGENTS.override.md', 'AGENTS.md'],
  ['CLAUDE.md', '.claude/CLAUDE.md'],
  ['CLAUDE.local.md'],
];

const FOLDERS: readonly { folder: string; ends: RegExp; format: RuleFormat }[] = [
  { folder: '.cursor/rules', ends: /\.mdc$/i, format: 'cursor' },
  { folder: '.claude/rules', ends: /\.md$/i, format: 'claude' },
  { folder: '.github/instructions', ends: /\.instructions\.md$/i, format: 'copilot' },
  { folder: '.livecode/rules', ends: /\.mdc?$/i, format: 'cursor' },
  { folder: '.clinerules', ends: /\.md$/i, format: 'claude' },
  { folder: '.windsurf/rules', ends: /\.md$/i, format: 'cursor' },
];

/** Rules in folders of rules below one folder; more are not read. */
const MAX_FILES = 100;
const MAX_DEPTH = 4;
/** How far above the project folder a git root is looked for. */
const MAX_PARENTS = 40;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Folders from the git root (or the project folder when there is none) down to the project folder. */
export async function rulesFolders(projectRoot: string): Promise<string[]> {
  const chain: string[] = [];
  let folder = projectRoot;
  for (let level = 0; level < MAX_PARENTS; level += 1) {
    chain.unshift(folder);
    if (await exists(join(folder, '.git'))) return chain;
    if (dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return [projectRoot];
}

async function filesBelow(folder: string, ends: RegExp, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < MAX_DEPTH) found.push(...(await filesBelow(path, ends, depth + 1)));
    else if (ends.test(entry.name)) found.push(path);
    if (found.length >= MAX_FILES) break;
  }
  return found.slice(0, MAX_FILES);
}

const slashed = (path: string): string => path.split('\\').join('/');

/** The first file of each group that is there. */
export async function readGroups(
  groups: readonly (readonly string[])[],
  folder: string,
  source: (name: string) => RuleSource,
): Promise<RuleFile[]> {
  const rules: RuleFile[] = [];
  for (const group of groups) {
    for (const name of group) {
      const rule = await readRule(source(join(folder, name)));
      if (!rule) continue;
      rules.push(rule);
      break;
    }
  }
  return rules;
}

async function projectRules(projectRoot: string): Promise<RuleFile[]> {
  const folders = await rulesFolders(projectRoot);
  const jail = await realpath(folders[0] ?? projectRoot);
  const rules: RuleFile[] = [];
  for (const folder of folders) {
    const source = (file: string, format: RuleFormat): RuleSource => ({
      ...{ file, format, jail, base: folder, origin: 'project' },
      shown: slashed(relative(projectRoot, file)),
    });
    rules.push(...(await readGroups(PLAIN_GROUPS, folder, (file) => source(file, 'plain'))));
    for (const { folder: name, ends, format } of FOLDERS) {
      const files = await filesBelow(join(folder, name), ends);
      const read = await Promise.all(files.map((file) => readRule(source(file, format))));
      rules.push(...read.filter((rule) => rule !== null));
    }
  }
  return rules;
}

/** The user's own files, as the tools that began them keep them. */
const HOME_FILES: readonly (readonly string[])[] = [
  ['.codex/AGENTS.override.md', '.codex/AGENTS.md'],
  ['.config/opencode/AGENTS.md'],
  ['.agents/AGENTS.md'],
  ['.claude/CLAUDE.md'],
  ['.gemini/GEMINI.md'],
  ['.config/goose/.goosehints'],
];

async function userRules({ projectRoot, home = homedir(), dataDir }: RulePlaces): Promise<RuleFile[]> {
  const realHome = await realpath(home).catch(() => home);
  const source = async (file: string, format: RuleFormat): Promise<RuleSource> => ({
    ...{ file, format, base: projectRoot, origin: 'user' },
    shown: `~/${slashed(relative(home, file))}`,
    // Its imports stay in the folder of the rules; the file itself may be a link within the home folder.
    jail: await jailOf(file, realHome),
  });
  const files = HOME_FILES.map((group) => group.map((name) => join(home, name)));
  if (dataDir !== undefined) files.unshift([join(dataDir, 'AGENTS.md')]);
  const rules: RuleFile[] = [];
  for (const group of files) {
    for (const file of group) {
      const rule = await readRule(await source(file, 'plain'));
      if (!rule) continue;
      rules.push(rule);
      break;
    }
  }
  for (const file of await filesBelow(join(home, '.claude/rules'), /\.md$/i)) {
    const rule = await readRule(await source(file, 'claude'));
    if (rule) rules.push(rule);
  }
  return rules;
}

async function jailOf(file: string, realHome: string): Promise<string> {
  const real = await realpath(file).catch(() => file);
  const folder = dirname(real);
  return folder === realHome ? real : folder;
}

async function machineRules(projectRoot: string): Promise<RuleFile[]> {
  const file = '/etc/claude-code/CLAUDE.md';
  const rule = await readRule({
    ...{ file, shown: file, origin: 'machine', format: 'plain', base: projectRoot },
    jail: dirname(file),
  });
  return rule ? [rule] : [];
}

/**
 * All rules files that a project's sessions go by (X9): the machine's and the user's own, then from the git root down to the
 * project folder, nearest last. Files with the same text count once (one is often a link to the other). What can't be read
 * is listed with the reason.
 */
export async function findRules(places: RulePlaces): Promise<RuleFile[]> {
  const [machine, user, project] = await Promise.all([
    places.userFiles ? machineRules(places.projectRoot) : [],
    places.userFiles ? userRules(places) : [],
    projectRules(places.projectRoot),
  ]);
  const seen = new Set<string>();
  return [...machine, ...user, ...project].filter((rule) => {
    if (rule.text === '') return rule.problems.length > 0;
    if (seen.has(rule.text)) return false;
    seen.add(rule.text);
    return true;
  });
}

/** Rules files of the folders between the project folder and a touched file, nearest last; the folder itself excluded. */
export async function folderRules(projectRoot: string, folder: string): Promise<RuleFile[]> {
  const jail = await realpath(projectRoot);
  return readGroups(FOLDER_GROUPS, folder, (file) => ({
    ...{ file, format: 'plain', jail, base: folder, origin: 'project', scope: 'folder' },
    shown: slashed(relative(projectRoot, file)),
  }));
}
