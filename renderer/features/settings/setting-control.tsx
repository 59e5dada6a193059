import { useState } from 'react';
import { toErrorShape } from '../../../shared/error';
import { useClient } from '../../lib/client-context';
import { settingsStore, useSetting } from '../../lib/settings-store';
import { Field } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Segmented } from '../../ui/segmented';
import { Switch } from '../../ui/switch';
import { parseNumber, type PlainKey, type PlainValue, type SettingRow } from './setting-rows';

/** Writes settings and keeps the reason of a refusal for the row. */
function useWrite(key: PlainKey) {
  const client = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const write = async (value: PlainValue): Promise<void> => {
    try {
      settingsStore.set(await client.settings.set({ key, value }));
      setProblem(null);
    } catch (error) {
      const shape = toErrorShape(error);
      setProblem([shape.message, shape.hint].filter(Boolean).join(' '));
    }
  };
  return { write: (value: PlainValue) => void write(value), problem, setProblem };
}

/** One setting: what it is, what it does, and its control; a refused value stays with its reason. */
export function SettingControl({ row }: { row: SettingRow }) {
  const value = useSetting(row.key);
  const { write, problem, setProblem } = useWrite(row.key);
  return (
    <div className="setting-row">
      <div>
        <div>{row.title}</div>
        {row.text !== '' && <div className="setting-text">{row.text}</div>}
      </div>
      {row.control === 'switch' && <Switch label={row.title} checked={value === true} onChange={write} />}
      {row.control === 'choice' && (
        <Segmented
          label={row.title}
          value={String(value)}
          choices={row.choices}
          onChange={(next) => write(next)}
        />
      )}
      {(row.control === 'number' || row.control === 'text') && (
        <DraftField
          key={String(value)}
          row={row}
          value={value}
          bad={problem !== null}
          onProblem={setProblem}
          onWrite={write}
        />
      )}
      {problem !== null && (
        <div className="setting-problem" role="alert">
          <Icon name="error" size={14} />
          {problem}
        </div>
      )}
    </div>
  );
}

interface DraftFieldProps {
  row: Extract<SettingRow, { control: 'number' | 'text' }>;
  value: PlainValue;
  bad: boolean;
  onProblem: (problem: string | null) => void;
  onWrite: (value: PlainValue) => void;
}

/** Keeps what is typed until Enter or leaving; a bad value is not written and stays visible. */
function DraftField({ row, value, bad, onProblem, onWrite }: DraftFieldProps) {
  const [draft, setDraft] = useState(String(value));
  const commit = (): void => {
    if (draft === String(value)) {
      onProblem(null);
      return;
    }
    if (row.control === 'text') {
      onWrite(draft.trim());
      return;
    }
    const parsed = parseNumber(draft, row, Number(value));
    if (parsed.ok) onWrite(parsed.value);
    else onProblem(parsed.problem);
  };
  return (
    <span className="setting-field">
      <Field
        label={row.title}
        hideLabel
        value={draft}
        className={bad ? 'ui-field-bad' : ''}
        aria-invalid={bad || undefined}
        inputMode={row.control === 'number' ? 'decimal' : 'text'}
        placeholder={row.control === 'text' ? row.placeholder : undefined}
        onChange={setDraft}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setDraft(String(value));
        }}
      />
      {row.control === 'number' && <span className="setting-unit">{row.unit}</span>}
    </span>
  );
}
