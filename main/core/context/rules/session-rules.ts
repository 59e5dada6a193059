import { formatTouched } from './format-rules';
import type { RuleBook } from './rule-book';
import type { RuleDesk } from './rule-desk';
import type { RuleFile } from './rule-file';

/** Characters of rules that touched files may bring into one session between two compactions. */
const MAX_TOUCHED_CHARS = 24_000;

/** The rules that one session's files have brought into play: each is told once. */
export class SessionRules implements RuleDesk {
  private readonly told = new Map<string, { rule: RuleFile; path: string }>();

  constructor(private readonly book: RuleBook) {}

  inPlay(): string {
    return formatTouched([...this.told.values()].map(({ rule }) => rule));
  }

  list(): readonly { rule: RuleFile; path: string }[] {
    return [...this.told.values()];
  }

  async forPaths(paths: readonly string[]): Promise<string> {
    const fresh: RuleFile[] = [];
    for (const path of new Set(paths)) {
      for (const rule of await this.book.forPath(path)) if (this.tell(rule, path)) fresh.push(rule);
    }
    return formatTouched(fresh);
  }

  async forMentions(paths: readonly string[]): Promise<string> {
    const named: RuleFile[] = [];
    for (const path of paths) {
      const rule = await this.book.named(path);
      if (rule && this.tell(rule, path)) named.push(rule);
    }
    const touched = await this.forPaths(paths);
    return [formatTouched(named), touched].filter((text) => text !== '').join('\n');
  }

  private tell(rule: RuleFile, path: string): boolean {
    if (this.told.has(rule.path)) return false;
    const chars = this.list().reduce((sum, { rule: each }) => sum + each.text.length, 0);
    if (chars + rule.text.length > MAX_TOUCHED_CHARS) return false;
    this.told.set(rule.path, { rule, path });
    return true;
  }
}
