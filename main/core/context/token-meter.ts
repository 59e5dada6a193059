import type { ModelMessage, ToolSpec, Usage } from '../model/port';
import { estimateMessageTokens, estimateRequestTokens } from './tokens';

/** Shares of our estimate between which a reported count can be true; outside the provider counts something else. */
export const PLAUSIBLE_RATIO = { least: 0.4, most: 3 } as const;

export const isPlausible = (reported: number, estimated: number): boolean =>
  estimated > 0 &&
  reported >= estimated * PLAUSIBLE_RATIO.least &&
  reported <= estimated * PLAUSIBLE_RATIO.most;

/** The last request whose size the provider told. */
interface Anchor {
  model: string;
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  reported: number;
}

function beginsWith(messages: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  return start.length <= messages.length && start.every((message, at) => messages[at] === message);
}

/**
 * How many tokens a request has: what the provider counted for the request before it and an estimate of what came since;
 * a calibrated estimate of the whole where that is not to be had.
 */
export class TokenMeter {
  private anchor: Anchor | null = null;

  measure(
    messages: readonly ModelMessage[],
    tools: readonly ToolSpec[],
    model: string,
    ratio: number,
  ): number {
    const { anchor } = this;
    if (anchor?.model !== model || anchor.tools !== tools || !beginsWith(messages, anchor.messages))
      return Math.ceil(estimateRequestTokens(messages, tools) * ratio);
    let added = 0;
    for (let at = anchor.messages.length; at < messages.length; at += 1)
      added += estimateMessageTokens(messages[at] as ModelMessage);
    return anchor.reported + Math.ceil(added * ratio);
  }

  /** Notes what the provider counted for a request; a number that can't be its size is not used. */
  note(
    request: { messages: readonly ModelMessage[]; tools: readonly ToolSpec[] },
    model: string,
    usage: Usage | null,
  ): void {
    const { messages, tools } = request;
    const usable = usage !== null && isPlausible(usage.inputTokens, estimateRequestTokens(messages, tools));
    this.anchor = usable ? { model, messages, tools, reported: usage.inputTokens } : null;
  }
}
