import type { Settings } from '../../../shared/contract/settings';

/** What becomes of a message that is sent while a turn runs. */
export type Delivery = Settings['chat.requestQueuing.defaultAction'];

interface DeliveryWords {
  readonly label: string;
  readonly icon: string;
  /** As `parseChord` reads it; each way has its own besides Enter, which takes the default one. */
  readonly keys: string | null;
  /** What the empty box says when Enter does this. */
  readonly placeholder: string;
}

export const DELIVERIES: Readonly<Record<Delivery, DeliveryWords>> = {
  steer: {
    label: 'Say it now, while it works',
    icon: 'comment',
    keys: null,
    placeholder: 'Steer this turn, or queue the next message',
  },
  queue: {
    label: 'Queue it for after this turn',
    icon: 'list-ordered',
    keys: 'Alt+Enter',
    placeholder: 'Queue the next message, or steer this turn',
  },
  stop: {
    label: 'Stop this turn and send it',
    icon: 'debug-stop',
    keys: 'Mod+Shift+Enter',
    placeholder: 'Stop this turn and say what comes instead',
  },
};

export const DELIVERY_ORDER: readonly Delivery[] = ['steer', 'queue', 'stop'];

interface EnterPress {
  readonly key: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** What a press of Enter in the message box sends by: `default`, one way in particular, or (null) nothing. */
export function deliveryOf(press: EnterPress): Delivery | 'default' | null {
  if (press.key !== 'Enter') return null;
  const main = press.ctrlKey || press.metaKey;
  if (press.shiftKey) return main && !press.altKey ? 'stop' : null;
  return press.altKey ? 'queue' : 'default';
}
