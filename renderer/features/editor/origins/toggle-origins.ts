import type { Client } from '../../../../shared/contract/contract';
import { settingsStore } from '../../../lib/settings-store';

/** Shows or hides the column of line origins; the settings remember it. */
export async function toggleOrigins(client: Pick<Client, 'settings'>): Promise<void> {
  const value = !settingsStore.get().values['editor.lineOrigins'];
  await client.settings.set({ key: 'editor.lineOrigins', value });
}
