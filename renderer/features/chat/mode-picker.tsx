import { useRef, useState } from 'react';
import type { Mode } from '../../../shared/model/mode';
import { Icon } from '../../ui/icon';
import { Menu } from '../../ui/menu';

export const MODE_NAMES: Readonly<Record<Mode, string>> = { agent: 'Agent', plan: 'Plan', ask: 'Ask' };
const MODE_TEXTS: Readonly<Record<Mode, string>> = {
  agent: 'reads, edits, runs',
  plan: 'reads and plans',
  ask: 'reads and answers',
};
const MODES: readonly Mode[] = ['agent', 'plan', 'ask'];

export const nextMode = (mode: Mode): Mode => MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? 'agent';

export function ModePicker({ mode, onPick }: { mode: Mode; onPick: (mode: Mode) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="ch-pick"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`Mode: ${MODE_NAMES[mode]}`}
        title="What the agent may do (Shift+Tab in the message box)"
        onClick={() => setOpen(true)}
      >
        <span>{MODE_NAMES[mode]}</span>
        <Icon name="chevron-down" size={12} />
      </button>
      {open && (
        <Menu
          label="Mode"
          anchor={button.current?.getBoundingClientRect() ?? new DOMRect()}
          onClose={() => setOpen(false)}
          entries={MODES.map((id) => ({
            id,
            label: MODE_NAMES[id],
            detail: MODE_TEXTS[id],
            checked: id === mode,
            onSelect: () => onPick(id),
          }))}
        />
      )}
    </>
  );
}
