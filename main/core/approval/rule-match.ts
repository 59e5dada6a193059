import picomatch from 'picomatch';
import type { Rule, RuleEffect } from '../../../shared/model/approval';
import type { PolicyInput } from './types';

export type LayeredRule = PolicyInput['rules'][number];

type Token = { any: true } | { any: false; character: string | null };

/** A pattern as tokens: any text, one literal character, or any one character (null). */
function tokens(resource: string): Token[] {
  const list: Token[] = [];
  for (let i = 0; i < resource.length; i += 1) {
    const character = resource[i] as string;
    if (character === '*') list.push({ any: true });
    else if (character === '?') list.push({ any: false, character: null });
    else if (character === '\\' && i + 1 < resource.length) {
      i += 1;
      list.push({ any: false, character: resource[i] as string });
    } else list.push({ any: false, character });
  }
  return list;
}

/** Wildcard match that goes back to the last `*` only, so that no pattern takes more than pattern × text steps. */
function matchesTokens(pattern: readonly Token[], text: string): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let i = 0; i < text.length;) {
    const token = pattern[at];
    if (token?.any === true) {
      star = at;
      starText = i;
      at += 1;
    } else if (token !== undefined && (token.character === null || token.character === text[i])) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      starText += 1;
      i = starText;
    } else return false;
  }
  return pattern.slice(at).every((token) => token.any);
}

/**
 * Whether a rule's resource matches a command. `*` stands for any text (blanks and slashes too), `?` for one character,
 * a backslash takes the meaning from the next; "x *" also matches "x" alone.
 */
export function matchesCommand(resource: string, command: string): boolean {
  if (resource === '*' || resource === '**') return true;
  const pattern = tokens(resource);
  // "git log *" is meant to cover "git log" too.
  const bare =
    resource.endsWith(' *') && !resource.endsWith('\\ *') && matchesTokens(pattern.slice(0, -2), command);
  return bare || matchesTokens(pattern, command);
}

/**
 * Whether a rule's resource matches a workspace-relative path. Rules that restrict ignore case, so that another spelling
 * on a case-insensitive disk is no way around them.
 */
export function matchesPath(resource: string, path: string, effect: RuleEffect): boolean {
  if (resource === '*' || resource === '**') return true;
  const glob = resource.replace(/^\.\//, '');
  return picomatch.isMatch(path, glob, { dot: true, nocase: effect !== 'allow', strictSlashes: false });
}

export function matchesAction(rule: Rule, tool: string): boolean {
  return rule.action === '*' || rule.action === tool;
}

/** A resource without wildcards: it names exactly one thing. */
export function isExact(resource: string): boolean {
  return !/[*?]/.test(resource.replaceAll(/\\./gs, ''));
}

/** Text as a resource that matches only itself. */
export function exactResource(text: string): string {
  return text.replaceAll(/[\\*?]/g, '\\$&');
}

export function isCatchAll(rule: Rule): boolean {
  return rule.resource === '*' || rule.resource === '**';
}
