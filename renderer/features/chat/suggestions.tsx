import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/icon';

export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly icon: string;
}

/** The list over the message box for `@` and `/`; the box keeps the focus and moves the choice. */
export function Suggestions({
  id,
  label,
  items,
  at,
  onPick,
}: {
  id: string;
  label: string;
  items: readonly Suggestion[];
  at: number;
  onPick: (index: number) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ul ref={list} id={id} role="listbox" aria-label={label} className="ch-suggestions">
      {items.map((item, i) => (
        <li
          key={item.id}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === at}
          className="ch-option"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(i)}
        >
          <Icon name={item.icon} size={14} />
          <span className="ui-clip">{item.label}</span>
          <span className="ch-option-end ui-clip">{item.detail}</span>
        </li>
      ))}
    </ul>
  );
}
