import { onControl, tell } from './control';
import { guarded, GuardedEmitter, missing } from './guarded';

const shown: DoubleNotification[] = [];

/** https://www.electronjs.org/docs/latest/api/notification */
class DoubleNotification extends GuardedEmitter {
  private readonly text: { title: string; body: string };

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super('Notification', ['click', 'close']);
    this.text = { title, body };
  }

  show(): void {
    shown.push(this);
    tell({ event: 'notification', ...this.text });
  }

  close(): void {
    this.emit('close');
  }
}

onControl('notification.click', () => {
  const last = shown.at(-1);
  if (!last) throw new Error('No notification was shown.');
  last.emit('click');
});

export const Notification = new Proxy(DoubleNotification, {
  construct: (Target, [options]: [{ title?: string; body?: string }?]) =>
    guarded('Notification', new Target(options)),
  get: (_target, key) => {
    if (key === 'isSupported') return () => true;
    throw missing(`Notification.${String(key)}`);
  },
});
