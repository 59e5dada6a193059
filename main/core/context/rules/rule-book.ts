import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import type { RuleInfo } from '../../../../shared/contract/context';
import { RULES_TOTAL_CHARS } from '../../limits';
import { estimateTextTokens } from '../tokens';
import { findRules, folderRules, type RulePlaces } from './find-rules';
import { formatRules } from './format-rules';
import type { RuleFile } from './rule-file';

export interface BookFacts {
  readonly files: readonly RuleFile[];
  /** In the prompt. */
  readonly always: readonly RuleFile[];
  readonly offered: readonly RuleFile[];
  /** Over the limit of all together. */
  readonly left: ReadonlySet<RuleFile>;
}

/** What of the always-on rules fits; the nearest files are kept rather than the ones further up. */
function fitting(files: readonly RuleFile[]): { always: RuleFile[]; left: Set<RuleFile> } {
  const always = files.filter(({ scope, text }) => scope === 'always' && text !== '');
  const left = new Set<RuleFile>();
  let budget = RULES_TOTAL_CHARS;
  for (const file of [...always].reverse()) {
    if (file.text.length > budget) left.add(file);
    else budget -= file.text.length;
  }
  return { always: always.filter((file) => !left.has(file)), left };
}

/** Rules of one project, read once and again after a full compaction or when somebody asks. */
export class RuleBook {
  private facts: Promise<BookFacts> | null = null;
  private readonly byFolder = new Map<string, Promise<RuleFile[]>>();

  constructor(
    private readonly places: () => RulePlaces,
    private readonly enabled: () => boolean,
  ) {}

  get root(): string {
    return this.places().projectRoot;
  }

  read(): Promise<BookFacts> {
    this.facts ??= this.load();
    return this.facts;
  }

  /** Reads the files again at the next use. */
  refresh(): void {
    this.facts = null;
    this.byFolder.clear();
  }

  /** The block for a new prompt: from the files as they are now. */
  async prompt(): Promise<string> {
    this.refresh();
    const { always, offered } = await this.read();
    return formatRules(always, offered);
  }

  /**
   * Rules that a touched file brings into play: those whose globs it fits, those of the folders it lies in, and the file
   * itself when it is one that only the user can bring in.
   *
   * @param path as a call names it: relative to the project folder, or absolute in it
   */
  async forPath(path: string): Promise<RuleFile[]> {
    const inside = this.inside(path);
    if (!this.enabled() || inside === null) return [];
    const { files } = await this.read();
    const absolute = resolve(this.root, path);
    const byGlob = files.filter((file) => file.scope === 'files' && fits(file, absolute));
    return [...byGlob, ...(await this.inFolders(inside))].filter(({ text }) => text !== '');
  }

  /** The file at this path, when it is one of the rules that wait to be pointed at. */
  async named(path: string): Promise<RuleFile | null> {
    const { files } = await this.read();
    return (
      files.find((file) => file.path === path && (file.scope === 'manual' || file.scope === 'offered')) ??
      null
    );
  }

  /** The path relative to the project folder with `/`; null when it lies outside. */
  private inside(path: string): string | null {
    const found = relative(this.root, resolve(this.root, path)).split(sep).join('/');
    return found === '' || found === '..' || found.startsWith('../') || isAbsolute(found) ? null : found;
  }

  private async load(): Promise<BookFacts> {
    const files = this.enabled() ? await findRules(this.places()) : [];
    const { always, left } = fitting(files);
    return { files, always, left, offered: files.filter(({ scope }) => scope === 'offered') };
  }

  /** Rules files in the folders from the project folder (excluded) down to a file. */
  private async inFolders(path: string): Promise<RuleFile[]> {
    const parts = dirname(path).split(/[/\\]/);
    if (parts[0] === '.' || parts[0] === '') return [];
    const folders = parts.map((_part, at) => join(this.root, ...parts.slice(0, at + 1)));
    const read = await Promise.all(folders.map((folder) => this.folder(folder)));
    return read.flat();
  }

  private folder(folder: string): Promise<RuleFile[]> {
    let rules = this.byFolder.get(folder);
    rules ??= folderRules(this.root, folder);
    this.byFolder.set(folder, rules);
    return rules;
  }
}

const matchers = new WeakMap<RuleFile, (path: string) => boolean>();

/** A glob without a slash fits the name at any depth, as all these tools have it. */
function fits(file: RuleFile, absolute: string): boolean {
  let matches = matchers.get(file);
  if (!matches) {
    const globs = file.globs.map((glob) => {
      const bare = glob.replace(/^\.?\//, '');
      if (!bare.includes('/')) return `**/${bare}`;
      return bare.endsWith('/') ? `${bare}**` : bare;
    });
    matches = picomatch(globs, { dot: true });
    matchers.set(file, matches);
  }
  const path = relative(file.base, absolute).split(sep).join('/');
  return !path.startsWith('..') && matches(path);
}

/** One line for each file: whether it is in the prompt, and why. */
export function ruleInfos(
  { files, left }: BookFacts,
  inPlay: readonly { rule: RuleFile; path: string }[],
): RuleInfo[] {
  const touched = new Map(inPlay.map(({ rule, path }) => [rule.path, { rule, path }]));
  const folders = inPlay.filter(({ rule }) => rule.scope === 'folder').map(({ rule }) => rule);
  return [...files, ...folders].map((rule) => {
    const by = touched.get(rule.path)?.path;
    const active = rule.text !== '' && (by !== undefined || (rule.scope === 'always' && !left.has(rule)));
    return {
      ...{ path: rule.path, origin: rule.origin, scope: rule.scope, active },
      why: whyOf(rule, by, left.has(rule)),
      tokens: estimateTextTokens(rule.text),
      ...{ chars: rule.chars, cut: rule.cut, hiddenCharacters: rule.hiddenCharacters },
      ...{ globs: [...rule.globs], imports: [...rule.imports], problems: [...rule.problems] },
    };
  });
}

function whyOf(rule: RuleFile, touchedBy: string | undefined, isLeft: boolean): string {
  if (rule.text === '') return 'not used';
  if (isLeft) return `over the limit of ${RULES_TOTAL_CHARS.toLocaleString('en')} characters for all rules`;
  if (touchedBy !== undefined) return `for ${touchedBy}`;
  switch (rule.scope) {
    case 'always':
      return 'always';
    case 'files':
      return `waits for a file that fits ${rule.globs.join(', ')}`;
    case 'folder':
      return `waits for a file in ${rule.base}`;
    case 'offered':
      return 'offered by its description';
    case 'manual':
      return 'waits until you point at it with @';
  }
}
