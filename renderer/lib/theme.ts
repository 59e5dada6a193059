import type { Settings } from '../../shared/contract/settings';

export type ThemeName = 'dark' | 'light' | 'hc';
type ThemeSetting = Settings['workbench.colorTheme'];

const root = (): HTMLElement => document.documentElement;

/** The theme on screen; `hc` is the high-contrast one. */
export function currentTheme(): ThemeName {
  const theme = root().dataset['theme'];
  return theme === 'light' || theme === 'hc' ? theme : 'dark';
}

/** `#abc` as `#aabbcc`: a minified style sheet has the short form, which Monaco's themes refuse. */
export function longHex(color: string): string {
  return /^#[0-9a-f]{3,4}$/i.test(color)
    ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}`
    : color;
}

/** The value of a colour token such as `--bg-canvas`; hex colours have six or eight digits (`#1a1c20`). */
export function themeColor(name: string): string {
  return longHex(getComputedStyle(root()).getPropertyValue(name).trim());
}

/** Calls `listener` after the theme or the density changed, when `themeColor` already gives the new values. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root(), { attributes: true, attributeFilter: ['data-theme', 'data-density'] });
  return () => observer.disconnect();
}

/** What the system prefers: contrast goes before lightness. */
export interface SystemLook {
  moreContrast: boolean;
  light: boolean;
}

export function resolveTheme(setting: ThemeSetting, system: SystemLook): ThemeName {
  if (setting === 'contrast') return 'hc';
  if (setting !== 'system') return setting;
  if (system.moreContrast) return 'hc';
  return system.light ? 'light' : 'dark';
}

const MORE_CONTRAST = '(prefers-contrast: more), (forced-colors: active)';
const LIGHT = '(prefers-color-scheme: light)';

/**
 * Puts theme, density and motion on the document element and follows the system while the setting says so.
 * Returns a function that stops following.
 */
export function applyLook(
  look: Pick<Settings, 'workbench.colorTheme' | 'workbench.density' | 'workbench.reduceMotion'>,
): () => void {
  const queries = [matchMedia(MORE_CONTRAST), matchMedia(LIGHT)] as const;
  const apply = (): void => {
    const system = { moreContrast: queries[0].matches, light: queries[1].matches };
    const data = root().dataset;
    data['theme'] = resolveTheme(look['workbench.colorTheme'], system);
    data['density'] = look['workbench.density'];
    data['motion'] = look['workbench.reduceMotion'] ? 'reduced' : 'full';
  };
  apply();
  for (const query of queries) query.addEventListener('change', apply);
  return () => {
    for (const query of queries) query.removeEventListener('change', apply);
  };
}
