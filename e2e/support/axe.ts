import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe holds to be serious or worse: each rule with what breaks it. Widgets of others' making are left out. */
export async function seriousIn(page: Page): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page }).exclude('.monaco-editor').exclude('.xterm').analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
}

export interface Stop {
  /** Accessible name as far as attributes and text give it. */
  name: string;
  /** Whether something is drawn round it, or round what it stands in, that was not there before. */
  ringed: boolean;
}

/** Presses Tab `count` times and tells where the focus was after each press. */
export async function tabThrough(page: Page, count: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let press = 0; press < count; press += 1) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const element = document.activeElement;
        if (!element) return { name: '', ringed: false };
        const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const drawn = (part: Element | null): boolean => {
          if (!part) return false;
          const { outlineStyle, outlineWidth } = getComputedStyle(part);
          return outlineStyle !== 'none' && outlineWidth !== '0px';
        };
        return { name: name.trim(), ringed: drawn(element) || drawn(element.closest('.ch-composer')) };
      }),
    );
  }
  return stops;
}
