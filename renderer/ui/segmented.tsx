import { roveFocus } from './rove';
import type { Choice } from './select';

export interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  onChange: (value: V) => void;
}

/** A choice of few words in one row; arrows choose. */
export function Segmented<V extends string>({ label, value, choices, onChange }: SegmentedProps<V>) {
  const pick = (index: number): void => {
    const choice = choices[index];
    if (choice) onChange(choice.value);
  };
  return (
    <div
      className="ui-segmented"
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => roveFocus(event, pick)}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
