import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';

export interface ChoiceProps {
  icon: string;
  title: string;
  text: ReactNode;
  action?: ReactNode;
  busy?: boolean;
  done?: boolean;
}

/** One way to go on: a sign, what it is, and its button. */
export function Choice({ icon, title, text, action, busy = false, done = false }: ChoiceProps) {
  return (
    <li className="choice">
      <span className="choice-sign">
        {busy ? (
          <Spinner tone="accent" />
        ) : (
          <Icon name={done ? 'check' : icon} className={done ? 'ui-ok' : ''} />
        )}
      </span>
      <div className="ui-grow">
        <div className="ui-strong">{title}</div>
        <div className="choice-text">{text}</div>
      </div>
      {action}
    </li>
  );
}
