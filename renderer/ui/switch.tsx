import type { ComponentProps } from 'react';

export interface SwitchProps extends Omit<ComponentProps<'button'>, 'onChange'> {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, onChange, ...rest }: SwitchProps) {
  return (
    <button
      {...rest}
      type="button"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      className="ui-switch"
      onClick={() => onChange(!checked)}
    />
  );
}
