import { type CodeSpan, tokenizeCode } from './tokenize-code';

/** Coloured code that was drawn lately, so that scrolling back costs nothing. */
const CACHE_BLOCKS = 100;
const cache = new Map<string, CodeSpan[][]>();

const keyOf = (code: string, language: string): string => `${language}\n${code}`;

/** Colours that are there already; null when they must be asked for with {@link colouredCode}. */
export function knownColours(code: string, language: string): CodeSpan[][] | null {
  return cache.get(keyOf(code, language)) ?? null;
}

function colourNow(code: string, language: string): CodeSpan[][] {
  const lines = tokenizeCode(code, language);
  cache.set(keyOf(code, language), lines);
  const oldest = cache.size > CACHE_BLOCKS ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  return lines;
}

/** Colours `code` once `element` is in view and the window is idle; the returned function calls it off. */
export function colouredCode(
  element: HTMLElement,
  code: string,
  language: string,
  onReady: (lines: CodeSpan[][]) => void,
): () => void {
  let idle = 0;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      idle = requestIdleCallback(() => onReady(colourNow(code, language)), { timeout: 500 });
    },
    { rootMargin: '200px' },
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
    if (idle !== 0) cancelIdleCallback(idle);
  };
}
