import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';
import { Spinner } from './spinner';

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'regular' | 'large';
  icon?: string;
  /** The shortcut as shown after the label; it is not part of the accessible name. */
  keyHint?: string;
  /** Shows a spinner and takes no clicks while the work that the button started goes on. */
  busy?: boolean;
}

export function Button({
  variant = 'secondary',
  size = 'regular',
  icon,
  keyHint,
  busy = false,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  const looks = classNames(
    'ui-button',
    `ui-button-${variant}`,
    size !== 'regular' && `ui-button-${size}`,
    className,
  );
  return (
    <button
      type="button"
      {...rest}
      className={looks}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner tone="accent" /> : icon !== undefined && <Icon name={icon} />}
      {children}
      {keyHint !== undefined && <kbd aria-hidden="true">{keyHint}</kbd>}
    </button>
  );
}
