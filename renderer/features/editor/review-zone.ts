import type { ReviewHunk } from '../../../shared/model/change';
import { tokenizeCode } from '../../lib/markdown/tokenize-code';
import type { Verdict } from '../../lib/review/decide';
import { turnWords } from '../../lib/review/review-words';

/** Pixels of the bar over a hunk. */
export const BAR_PX = 30;
/** More removed lines than this are counted instead of shown. */
export const REMOVED_SHOWN = 40;

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== '') made.textContent = text;
  return made;
}

/** A click in a zone is none in the code below it. */
function keepFromCode(node: HTMLElement): void {
  for (const kind of ['mousedown', 'pointerdown', 'mouseup', 'pointerup', 'click', 'dblclick'] as const)
    node.addEventListener(kind, (event) => event.stopPropagation());
}

export interface BarFacts {
  hunk: ReviewHunk;
  /** 1-based place among the file's pending hunks. */
  number: number;
  count: number;
  canReject: boolean;
  keys: { accept: string; reject: string };
  onDecide: (verdict: Verdict) => void;
}

function button(label: string, key: string, run: () => void): HTMLButtonElement {
  const made = element('button', 'ui-button ui-button-secondary ui-button-small', label) as HTMLButtonElement;
  made.type = 'button';
  // Zones are hidden from screen readers and Tab: the bar over the file and the commands offer the same to keys.
  made.tabIndex = -1;
  made.append(element('kbd', '', key));
  made.addEventListener('click', run);
  return made;
}

/** The bar over a hunk: which change it is, which turn made it, Reject and Accept. */
export function hunkBar({ hunk, number, count, canReject, keys, onDecide }: BarFacts): HTMLElement {
  const bar = element('div', 'er-bar');
  // The zone is as wide as the longest line; what is to be read and pressed stays in view.
  const inner = element('div', 'er-bar-inner');
  const turn = hunk.turns.at(-1);
  inner.append(element('span', 'er-bar-count', `Change ${number} of ${count}`));
  if (turn) inner.append(element('span', 'er-bar-turn', turnWords(turn)));
  if (canReject) inner.append(button('Reject', keys.reject, () => onDecide('reject')));
  inner.append(button('Accept', keys.accept, () => onDecide('accept')));
  bar.append(inner);
  keepFromCode(bar);
  return bar;
}

/** Lines that a hunk took out, coloured like code. */
export function removedLines(removed: readonly string[], language: string): HTMLElement {
  const box = element('div', 'er-removed');
  const shown = removed.slice(0, REMOVED_SHOWN);
  for (const line of shown) {
    const row = element('div', 'er-removed-line');
    for (const { kind, text } of tokenizeCode(line, language)[0] ?? [])
      row.append(kind === 'plain' ? text : element('span', `md-s-${kind}`, text));
    box.append(row);
  }
  const more = removed.length - shown.length;
  if (more > 0) box.append(element('div', 'er-removed-line er-removed-more', `${more} more removed lines`));
  return box;
}
