/** What the user wrote in one message of theirs, without what the harness put beside it. */
export interface UserText {
  readonly messageId: string;
  readonly text: string;
}

/** Words that forbid or demand; English and the languages next to it. */
const STRONG =
  /\b(never|don['’]?t|do not|dont|must not|mustn['’]?t|must|always|under no circumstances|niemals|nie|immer|jamais|toujours|nunca|siempre)\b/i;
const WEAK = /\b(only|avoid|without (?:changing|touching|breaking|adding)|nur|seulement|solo|sólo)\b/i;

const MAX_SENTENCE_CHARS = 400;
const MAX_SENTENCES = 60;

/** Sentences and list items of a message; code and pasted output say nothing about what the user wants. */
function sentencesOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, '\n').replace(/^(?: {4}|\t|>).*$/gm, '');
  return prose
    .split(/\n+|(?<=[.!?…])\s+/)
    .map((part) => part.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((part) => part !== '' && part.length <= MAX_SENTENCE_CHARS && !part.endsWith('?'));
}

/**
 * Sentences in which the user forbids or demands something, word for word and in their order (case-K10). Found by words,
 * not by a model, so that none is forgotten. Over the limit the weaker ones go first, then the oldest.
 */
export function harvestConstraints(texts: readonly UserText[], limitChars: number): string[] {
  const found = new Map<string, boolean>();
  for (const { text } of texts) {
    for (const sentence of sentencesOf(text)) {
      if (STRONG.test(sentence)) found.set(sentence, true);
      else if (WEAK.test(sentence) && !found.has(sentence)) found.set(sentence, false);
    }
  }
  const all = [...found].map(([sentence, strong], order) => ({ sentence, strong, order }));
  const byWorth = [...all].sort((a, b) => Number(b.strong) - Number(a.strong) || b.order - a.order);
  const kept = new Set<number>();
  let chars = 0;
  for (const { sentence, order } of byWorth) {
    if (kept.size >= MAX_SENTENCES || chars + sentence.length > limitChars) continue;
    chars += sentence.length;
    kept.add(order);
  }
  return all.filter(({ order }) => kept.has(order)).map(({ sentence }) => sentence);
}
