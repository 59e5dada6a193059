import type { ReactNode } from 'react';
import { Icon } from './icon';
import { IconButton } from './icon-button';

export type ToastTone = 'info' | 'ok' | 'warn' | 'error';

export interface ToastProps {
  tone: ToastTone;
  title: string;
  text?: string;
  actions?: ReactNode;
  onDismiss: () => void;
}

const SIGNS: Record<ToastTone, { icon: string; className: string }> = {
  info: { icon: 'info', className: 'ui-accent' },
  ok: { icon: 'check', className: 'ui-ok' },
  warn: { icon: 'warning', className: 'ui-warn' },
  error: { icon: 'error', className: 'ui-err' },
};

export function Toast({ tone, title, text, actions, onDismiss }: ToastProps) {
  const sign = SIGNS[tone];
  return (
    <div className="ui-toast" role={tone === 'error' ? 'alert' : 'status'}>
      <Icon name={sign.icon} className={sign.className} />
      <div className="ui-grow">
        <div className="ui-toast-title">{title}</div>
        {text !== undefined && text !== '' && <div className="ui-toast-text">{text}</div>}
        {actions !== undefined && <div className="ui-toast-actions">{actions}</div>}
      </div>
      <IconButton icon="close" label="Dismiss" small onClick={onDismiss} />
    </div>
  );
}
