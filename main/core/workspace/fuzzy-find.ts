import { fuzzyScore, maskOf, type FuzzyText } from './fuzzy-score';

interface Hit {
  subject: FuzzyText;
  score: number;
}

interface Word {
  text: string;
  lower: string;
}

const better = (a: Hit, b: Hit): number =>
  b.score - a.score ||
  a.subject.text.length - b.subject.text.length ||
  (a.subject.text < b.subject.text ? -1 : 1);

/** Keeps the best hits only: sorting all of them would cost more than finding them. */
class Best {
  readonly #limit: number;
  #hits: Hit[] = [];
  #floor = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(hit: Hit): void {
    if (hit.score < this.#floor) return;
    this.#hits.push(hit);
    if (this.#hits.length < this.#limit * 8) return;
    this.#hits = this.#hits.sort(better).slice(0, this.#limit);
    this.#floor = this.#hits.at(-1)?.score ?? this.#floor;
  }

  paths(): string[] {
    return this.#hits
      .sort(better)
      .slice(0, this.#limit)
      .map(({ subject }) => subject.text);
  }
}

/** Every word has to fit; the scores add up. */
function scoreOf(words: readonly Word[], subject: FuzzyText): number | null {
  let total = 0;
  for (const { text, lower } of words) {
    const score = fuzzyScore(text, lower, subject);
    if (score === null) return null;
    total += score;
  }
  return total;
}

/**
 * Paths that fit the query, best first; `\` counts as `/`, words may come in any order. An empty query gives the paths
 * nearest to the project folder.
 */
export function fuzzyFind(query: string, subjects: readonly FuzzyText[], limit: number): string[] {
  const words = query
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split(/\s+/)
    .filter(Boolean)
    .map((text): Word => ({ text, lower: text.toLowerCase() }));
  const mask = maskOf(words.map(({ lower }) => lower).join(''));
  const best = new Best(limit);
  for (const subject of subjects) {
    if ((subject.mask & mask) !== mask) continue;
    const score = words.length === 0 ? -subject.depth : scoreOf(words, subject);
    if (score !== null) best.add({ subject, score });
  }
  return best.paths();
}
