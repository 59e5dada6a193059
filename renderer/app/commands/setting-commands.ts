import type { Client } from '../../../shared/contract/contract';
import type { Settings } from '../../../shared/contract/settings';
import { settingsStore } from '../../lib/settings-store';
import type { Command } from '../command-registry';

type Theme = Settings['workbench.colorTheme'];
const THEMES: readonly [Theme, string][] = [
  ['dark', 'Dark'],
  ['light', 'Light'],
  ['contrast', 'High contrast'],
  ['system', 'As the system'],
];

export function settingCommands(client: Client): Command[] {
  const set = async (key: keyof Settings, value: unknown): Promise<void> => {
    settingsStore.set(await client.settings.set({ key, value }));
  };
  const themes = THEMES.map(([value, name]): Command => ({
    id: `theme.${value}`,
    title: `Theme: ${name}`,
    icon: 'color-mode',
    when: () => settingsStore.get().values['workbench.colorTheme'] !== value,
    run: () => set('workbench.colorTheme', value),
  }));
  return [
    ...themes,
    {
      id: 'view.toggleDensity',
      title: 'View: Toggle compact density',
      icon: 'list-flat',
      run: () => {
        const compact = settingsStore.get().values['workbench.density'] === 'compact';
        return set('workbench.density', compact ? 'regular' : 'compact');
      },
    },
    {
      id: 'view.toggleWordWrap',
      title: 'View: Toggle word wrap',
      icon: 'word-wrap',
      keys: ['Alt+Z'],
      run: () =>
        set('editor.wordWrap', settingsStore.get().values['editor.wordWrap'] === 'on' ? 'off' : 'on'),
    },
    { id: 'window.reload', title: 'Window: Reload', icon: 'refresh', run: () => location.reload() },
  ];
}
