import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  icon: string;
  /** The accessible name, also shown as the tooltip. */
  label: string;
  /** The shortcut as shown in the tooltip after the label. */
  keyHint?: string;
  small?: boolean;
  /** Drawn as switched on; a toggle says so to screen readers with `aria-pressed` besides. */
  active?: boolean;
  /** A count at the corner; say it in the label too. */
  badge?: number;
}

export function IconButton({
  icon,
  label,
  keyHint,
  small = false,
  active = false,
  badge = 0,
  className,
  ...rest
}: IconButtonProps) {
  const looks = classNames(
    'ui-icon-button',
    small && 'ui-icon-button-small',
    active && 'ui-icon-button-on',
    className,
  );
  const title = keyHint === undefined ? label : `${label} (${keyHint})`;
  return (
    <button type="button" title={title} {...rest} className={looks} aria-label={label}>
      <Icon name={icon} size={small ? 14 : 16} />
      {badge > 0 && (
        <span className="ui-badge ui-badge-agent" aria-hidden="true">
          {badge > 99 ? '99+' : badge}
        </span>
      )}
    </button>
  );
}
