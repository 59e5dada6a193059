import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

export interface Choice<V extends string = string> {
  value: V;
  label: string;
}

export interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  onChange: (value: V) => void;
}

/** The platform's own list: it works with every keyboard and screen reader. */
export function Select<V extends string>({
  label,
  value,
  choices,
  onChange,
  className,
  ...rest
}: SelectProps<V>) {
  return (
    <span className={classNames('ui-select', className)}>
      <select
        {...rest}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={14} />
    </span>
  );
}
