import { useId, type ComponentProps } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

export interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string;
  /** The label is then for screen readers only. */
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  icon?: string;
  hint?: string;
  /** Why the value is refused; shown under the field and announced. */
  error?: string | null;
}

export function Field({
  label,
  hideLabel = false,
  value,
  onChange,
  icon,
  hint,
  error,
  className,
  ...rest
}: FieldProps) {
  const id = useId();
  const bad = error !== undefined && error !== null && error !== '';
  return (
    <div className={classNames('ui-field', bad && 'ui-field-bad', className)}>
      <label htmlFor={id} className={hideLabel ? 'ui-sr' : 'ui-field-label'}>
        {label}
      </label>
      <span className="ui-field-box">
        {icon !== undefined && <Icon name={icon} />}
        <input
          spellCheck={false}
          autoComplete="off"
          {...rest}
          id={id}
          className="ui-field-input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={bad || undefined}
          aria-describedby={bad || hint !== undefined ? `${id}-note` : undefined}
        />
      </span>
      {bad && (
        <span className="ui-field-error" id={`${id}-note`} role="alert">
          <Icon name="error" size={14} />
          {error}
        </span>
      )}
      {!bad && hint !== undefined && (
        <span className="ui-field-hint" id={`${id}-note`}>
          {hint}
        </span>
      )}
    </div>
  );
}
