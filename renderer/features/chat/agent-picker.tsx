import { useEffect, useRef, useState } from 'react';
import type { AgentInfo } from '../../../shared/model/agent';
import type { Mode } from '../../../shared/model/mode';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Icon } from '../../ui/icon';
import { Menu, type MenuEntry } from '../../ui/menu';
import { agentStore, loadAgents } from './agent-store';
import { MODE_NAMES, MODE_TEXTS, MODES } from './modes';

interface AgentPickerProps {
  mode: Mode;
  /** Name of the agent; null: the mode's own. */
  agent: string | null;
  onPickMode: (mode: Mode) => void;
  onPickAgent: (name: string) => void;
}

/** Who works in the session: the three modes, then Lathe's other agents and those of files. */
export function AgentPicker({ mode, agent, onPickMode, onPickAgent }: AgentPickerProps) {
  const client = useClient();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const { agents, problems } = useStore(agentStore);
  useEffect(() => void loadAgents(client).catch(toastError), [client]);
  const chosen = agents.find(({ name }) => name === agent);
  const title = agent === null ? MODE_NAMES[mode] : (chosen?.title ?? agent);
  const show = (): void => {
    setOpen(true);
    loadAgents(client).catch(toastError);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="ch-pick"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={agent === null ? `Mode: ${title}` : `Agent: ${title}`}
        title="Who works here and what it may do (Shift+Tab in the message box)"
        onClick={show}
      >
        <span className="ui-clip">{title}</span>
        <Icon name="chevron-down" size={12} />
      </button>
      {open && (
        <Menu
          label="Mode"
          anchor={button.current?.getBoundingClientRect() ?? new DOMRect()}
          onClose={() => setOpen(false)}
          entries={[
            ...modeEntries(agent === null ? mode : null, onPickMode),
            ...agentEntries(agents, agent, onPickAgent),
            ...problemEntries(problems),
          ]}
        />
      )}
    </>
  );
}

const modeEntries = (chosen: Mode | null, onPick: (mode: Mode) => void): MenuEntry[] =>
  MODES.map((id) => ({
    id,
    label: MODE_NAMES[id],
    detail: MODE_TEXTS[id],
    checked: id === chosen,
    onSelect: () => onPick(id),
  }));

const ORIGINS: Readonly<Record<AgentInfo['origin'], string>> = {
  builtin: 'Agents',
  user: 'Your agents',
  project: 'Agents of this project',
};

function agentEntries(
  agents: readonly AgentInfo[],
  chosen: string | null,
  onPick: (name: string) => void,
): MenuEntry[] {
  const others = agents.filter(({ name }) => !Object.hasOwn(MODE_NAMES, name));
  return (['builtin', 'user', 'project'] as const).flatMap((origin): MenuEntry[] => {
    const group = others.filter((agent) => agent.origin === origin);
    if (group.length === 0) return [];
    return [
      { id: `group-${origin}`, heading: ORIGINS[origin] },
      ...group.map(({ name, title, description, mode }) => ({
        id: name,
        label: title,
        detail: description || (mode === 'agent' ? MODE_TEXTS.agent : 'reads only'),
        checked: name === chosen,
        onSelect: () => onPick(name),
      })),
    ];
  });
}

const problemEntries = (problems: readonly string[]): MenuEntry[] =>
  problems.length === 0
    ? []
    : [
        {
          id: 'problems',
          heading: `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in agent files: see the notices`,
        },
      ];
