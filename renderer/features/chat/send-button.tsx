import { useRef, useState } from 'react';
import { keyLabel } from '../../lib/keys';
import { useSetting } from '../../lib/settings-store';
import { Icon } from '../../ui/icon';
import { Menu } from '../../ui/menu';
import type { MenuAnchor } from '../../ui/menu-place';
import { DELIVERIES, DELIVERY_ORDER, type Delivery } from './delivery';

export interface SendButtonProps {
  running: boolean;
  disabled: boolean;
  onSend: (how?: Delivery) => void;
}

/** Sends; while a turn runs, the arrow beside it offers the other ways to. */
export function SendButton({ running, disabled, onSend }: SendButtonProps) {
  const usual = useSetting('chat.requestQueuing.defaultAction');
  const frame = useRef<HTMLSpanElement>(null);
  const [menu, setMenu] = useState<MenuAnchor | null>(null);
  const keysOf = (how: Delivery): string | null => (how === usual ? 'Enter' : DELIVERIES[how].keys);
  return (
    <span ref={frame} className="ch-send-frame">
      <button
        type="button"
        className="ch-send"
        aria-label="Send"
        title={running ? `Send (Enter): ${DELIVERIES[usual].label}` : 'Send (Enter)'}
        disabled={disabled}
        onClick={() => onSend()}
      >
        <Icon name="arrow-up" />
      </button>
      {running && (
        <button
          type="button"
          className="ch-send-more"
          aria-label="More ways to send"
          title="More ways to send"
          aria-haspopup="menu"
          aria-expanded={menu !== null}
          onClick={() => setMenu(frame.current?.getBoundingClientRect() ?? null)}
        >
          <Icon name="chevron-up" size={12} />
        </button>
      )}
      {menu && (
        <Menu
          label="Ways to send"
          anchor={menu}
          onClose={() => setMenu(null)}
          entries={DELIVERY_ORDER.map((how) => {
            const keys = keysOf(how);
            const { label, icon } = DELIVERIES[how];
            return {
              ...{ id: how, label, icon, disabled },
              ...(keys === null ? {} : { keyHint: keyLabel(keys) }),
              onSelect: () => onSend(how),
            };
          })}
        />
      )}
    </span>
  );
}
