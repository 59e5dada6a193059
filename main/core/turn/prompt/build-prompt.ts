import type { Mode } from '../../../../shared/model/mode';
import { projectLayout } from '../../context/layout';
import { formatRules, loadRules, type ActiveRules } from '../../context/rules';
import type { ModelMessage } from '../../model/port';
import { systemPrompt } from './system-prompt';

export interface PromptPrefix {
  messages: ModelMessage[];
  rules: ActiveRules[];
}

/**
 * What comes before the history: system prompt, layout, rules, in this order (X8). A session builds it once per mode and
 * keeps it, so that requests share their prefix; a file added meanwhile shows up in tool results, not here.
 */
export async function buildPrefix(projectRoot: string, mode: Mode, useRules: boolean): Promise<PromptPrefix> {
  const [layout, rules] = await Promise.all([
    projectLayout(projectRoot),
    useRules ? loadRules(projectRoot) : Promise.resolve([]),
  ]);
  const blocks = [
    systemPrompt(mode),
    `Project folder: ${projectRoot}\n\nLayout at the start of the session:\n${layout || '(empty)'}`,
  ];
  const rulesText = formatRules(rules);
  if (rulesText !== '') blocks.push(rulesText);
  // One system message: chat templates of several local models refuse a second one.
  return { messages: [{ role: 'system', content: blocks.join('\n\n') }], rules };
}

/** What the user wrote, with the facts of that moment frozen into the same message (they change, the prefix must not). */
export function userMessageText(
  text: string,
  facts: { mentions: readonly string[]; openFiles: readonly string[] },
): string {
  const lines: string[] = [];
  if (facts.mentions.length > 0) lines.push(`Files the user points at: ${facts.mentions.join(', ')}`);
  if (facts.openFiles.length > 0) lines.push(`Open in the editor: ${facts.openFiles.join(', ')}`);
  return lines.length === 0 ? text : `${text}\n\n<context>\n${lines.join('\n')}\n</context>`;
}
