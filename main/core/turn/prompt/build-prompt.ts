import type { Mode } from '../../../../shared/model/mode';
import { projectLayout } from '../../context/layout';
import type { ModelMessage } from '../../model/port';
import { systemPrompt } from './system-prompt';
import { tersePrompt } from './terse-prompt';

/** One block of the system message, as the context view lists it. */
export interface PromptPart {
  id: string;
  title: string;
  text: string;
}

export interface PromptPrefix {
  messages: ModelMessage[];
  /** What the one system message is made of, in its order. */
  parts: PromptPart[];
}

export interface PromptFacts {
  projectRoot: string;
  mode: Mode;
  /** The project's and the user's rules as one block; '' for none. */
  rules: string;
  /** After a full compaction: no layout, no memory, shorter instructions (X10). */
  terse: boolean;
  /** What the agent is told on top; '' for nothing. */
  agentText: string;
  /** Memory and the like, between rules and agent; left out when terse. */
  extra: readonly PromptPart[];
}

/** Between the parts of the system message. */
export const PART_GAP = '\n\n';

async function layoutPart({ projectRoot, terse }: PromptFacts): Promise<PromptPart> {
  const folder = `Project folder: ${projectRoot}`;
  if (terse) return { id: 'layout', title: 'Project folder', text: folder };
  const layout = await projectLayout(projectRoot);
  const text = `${folder}\n\nLayout at the start of the session:\n${layout || '(empty)'}`;
  return { id: 'layout', title: 'Project layout', text };
}

/**
 * What comes before the history: instructions, layout, rules, memory, agent, in this order (X8). A session builds it once
 * per mode and keeps it, so that requests share their prefix; a file added meanwhile shows up in tool results, not here.
 */
export async function buildPrefix(facts: PromptFacts): Promise<PromptPrefix> {
  const { mode, rules, terse, agentText, extra } = facts;
  const parts: PromptPart[] = [
    { id: 'instructions', title: 'Instructions', text: terse ? tersePrompt(mode) : systemPrompt(mode) },
    await layoutPart(facts),
    { id: 'rules', title: 'Rules', text: rules },
    ...(terse ? [] : extra),
    { id: 'agent', title: 'Agent', text: agentText },
  ].filter(({ text }) => text !== '');
  // One system message: chat templates of several local models refuse a second one.
  const content = parts.map(({ text }) => text).join(PART_GAP);
  return { messages: [{ role: 'system', content }], parts };
}

/** What is so at the moment a message is sent. */
export interface TurnFacts {
  /** A line each. */
  lines: readonly string[];
  /** Rules that the mentioned files bring into play, as a block; '' for none. */
  rules: string;
}

/** What the user wrote, with the facts of that moment frozen into the same message (they change, the prefix must not). */
export function userMessageText(
  text: string,
  facts: { mentions: readonly string[]; openFiles: readonly string[] } & Partial<TurnFacts>,
): string {
  const lines: string[] = [...(facts.lines ?? [])];
  if (facts.mentions.length > 0) lines.push(`Files the user points at: ${facts.mentions.join(', ')}`);
  if (facts.openFiles.length > 0) lines.push(`Open in the editor: ${facts.openFiles.join(', ')}`);
  const blocks = lines.length === 0 ? [] : [`<context>\n${lines.join('\n')}\n</context>`];
  if (facts.rules !== undefined && facts.rules !== '') blocks.push(facts.rules);
  return [text, ...blocks].join('\n\n');
}
