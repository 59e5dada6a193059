import { useState } from 'react';
import { useClient } from '../../lib/client-context';
import { appInfoStore } from '../../lib/project-store';
import { settingsStore, useSetting } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Icon } from '../../ui/icon';
import { Switch } from '../../ui/switch';

const KEY = 'chat.notifyWindowOnConfirmation';
const permission = (): NotificationPermission =>
  'Notification' in window ? Notification.permission : 'denied';

/** Notices of the system. A browser asks for permission, and only when the user switches this on or presses the button. */
export function NotifySetting() {
  const client = useClient();
  const on = useSetting(KEY);
  const browser = useStore(appInfoStore, (info) => info?.host === 'web');
  const [allowed, setAllowed] = useState(permission);
  const ask = async (): Promise<void> => {
    if (browser && allowed === 'default') setAllowed(await Notification.requestPermission());
  };
  const change = async (value: boolean): Promise<void> => {
    settingsStore.set(await client.settings.set({ key: KEY, value }));
    if (value) await ask();
  };
  return (
    <div className="setting-row">
      <div>
        <div>Notify me</div>
        <div className="setting-text">When an approval waits or a turn ends while this window is hidden</div>
      </div>
      <Switch label="Notify me" checked={on} onChange={(value) => void change(value).catch(toastError)} />
      {browser && on && allowed !== 'granted' && (
        <div className="setting-note">
          <Icon name="info" size={14} />
          {allowed === 'denied' ? (
            'The browser does not allow notices for this address; the window’s title counts instead.'
          ) : (
            <>
              The browser has to allow it.
              <button type="button" className="setting-link" onClick={() => void ask().catch(toastError)}>
                Ask now
              </button>
            </>
          )}
        </div>
      )}
    </div>
  );
}
