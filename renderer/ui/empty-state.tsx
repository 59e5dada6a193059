import type { ReactNode } from 'react';
import { Icon } from './icon';

export interface EmptyStateProps {
  icon: string;
  title: string;
  /** One sentence: why it is empty or how to fill it. */
  children?: ReactNode;
  /** At most two buttons. */
  actions?: ReactNode;
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="ui-empty">
      <Icon name={icon} size={20} />
      <div className="ui-strong">{title}</div>
      {children !== undefined && <p className="ui-empty-text">{children}</p>}
      {actions !== undefined && <div className="ui-empty-actions">{actions}</div>}
    </div>
  );
}
