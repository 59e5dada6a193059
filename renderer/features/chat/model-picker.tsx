import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { splitModel } from '../../lib/model-name';
import { useStore } from '../../lib/store';
import { Icon } from '../../ui/icon';
import { useChat } from './chat-context';
import { modelOptions, type ModelOption } from './model-options';
import { modelPickerStore } from './model-picker-store';
import { Popover } from './popover';
import type { KnownModels } from '../../lib/use-models';

interface ModelPickerProps {
  /** `provider/model`; null follows the default. */
  model: string | null;
  /** What answered last, for a host that was given its model at start. */
  used: string | null;
  known: KnownModels;
  onPick: (model: string | null) => void;
}

export function ModelPicker({ model, used, known, onPick }: ModelPickerProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { open } = useStore(modelPickerStore);
  const effective = model ?? known.defaultModel ?? used;
  const name = effective === null ? (known.loaded ? 'Choose a model' : 'Model') : splitModel(effective).model;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="ch-pick ch-pick-model"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-label={`Model: ${name}`}
        title={effective ?? 'No model is set up'}
        onClick={() => modelPickerStore.set({ open: !open })}
      >
        <span className="ui-clip">{name}</span>
        <Icon name="chevron-down" size={12} />
      </button>
      {open && <ModelList model={model} known={known} onPick={onPick} anchor={button} />}
    </>
  );
}

function ModelList({
  model,
  known,
  onPick,
  anchor,
}: Omit<ModelPickerProps, 'used'> & { anchor: RefObject<HTMLElement | null> }) {
  const { onOpenProviderSetup } = useChat();
  const listId = useId();
  const [query, setQuery] = useState('');
  const options = modelOptions(known.providers, known.defaultModel, query);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.value === model),
    ),
  );
  const close = (): void => modelPickerStore.set({ open: false });
  const pick = (option: ModelOption | undefined): void => {
    if (!option) return;
    close();
    anchor.current?.focus();
    onPick(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(options[at]);
    }
  };
  return (
    <Popover label="Model" anchor={anchor} onClose={close}>
      <div className="ch-models" onKeyDown={onKeyDown}>
        <ModelSearch
          listId={listId}
          active={options.length > 0 ? `${listId}-${at}` : undefined}
          query={query}
          onQuery={(text) => {
            setQuery(text);
            setAt(0);
          }}
        />
        <ul id={listId} role="listbox" aria-label="Models" className="ch-models-list">
          {options.map((option, i) => (
            <ModelRow
              key={option.value ?? 'default'}
              id={`${listId}-${i}`}
              option={option}
              heading={option.group !== options[i - 1]?.group ? option.group : ''}
              active={i === at}
              chosen={option.value === model}
              onPick={() => pick(option)}
            />
          ))}
        </ul>
        {options.length === 0 && (
          <p className="ch-models-none">
            {query === '' ? 'No model is set up yet.' : `No model fits “${query}”.`}
          </p>
        )}
        <SetUpRow
          onClick={() => {
            close();
            onOpenProviderSetup();
          }}
        />
      </div>
    </Popover>
  );
}

interface ModelSearchProps {
  listId: string;
  /** Id of the row that Enter would choose. */
  active: string | undefined;
  query: string;
  onQuery: (query: string) => void;
}

function ModelSearch({ listId, active, query, onQuery }: ModelSearchProps) {
  return (
    <input
      className="ch-models-search"
      role="combobox"
      aria-label="Search models"
      aria-expanded="true"
      aria-controls={listId}
      aria-activedescendant={active}
      placeholder="Search models"
      value={query}
      onChange={(event) => onQuery(event.target.value)}
    />
  );
}

function SetUpRow({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="ch-option ch-models-setup" onClick={onClick}>
      <Icon name="plug" size={14} />
      Set up a provider…
    </button>
  );
}

interface ModelRowProps {
  id: string;
  option: ModelOption;
  heading: string;
  active: boolean;
  chosen: boolean;
  onPick: () => void;
}

function ModelRow({ id, option, heading, active, chosen, onPick }: ModelRowProps) {
  return (
    <>
      {heading !== '' && (
        <li role="presentation" className="ch-models-group">
          {heading}
        </li>
      )}
      <li
        id={id}
        role="option"
        aria-selected={active}
        className="ch-option"
        ref={(element) => {
          if (active) element?.scrollIntoView({ block: 'nearest' });
        }}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onPick}
      >
        <span className="ch-option-sign">{chosen && <Icon name="check" size={14} label="Chosen" />}</span>
        <span className="ui-clip">{option.label}</span>
        <span className="ch-option-end">
          {option.detail}
          {option.sees === true && (
            <span title="Sees images">
              <Icon name="eye" size={14} label="Sees images" />
            </span>
          )}
        </span>
      </li>
    </>
  );
}
