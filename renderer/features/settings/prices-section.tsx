import { useState } from 'react';
import { toErrorShape } from '../../../shared/error';
import type { ModelPrice, PriceTable } from '../../../shared/model/budget';
import { useClient } from '../../lib/client-context';
import { settingsStore, useSetting } from '../../lib/settings-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { EMPTY_PRICE, toDraft, withoutPrice, withPrice, type PriceDraft } from './price-rows';

/** Prices of the user's own, which come before the list prices that Lathe knows. */
export function PricesSection() {
  const client = useClient();
  const prices = useSetting('chat.budget.prices');
  const [editing, setEditing] = useState<{ before: string | null; draft: PriceDraft } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const write = async (table: PriceTable): Promise<void> => {
    try {
      settingsStore.set(await client.settings.set({ key: 'chat.budget.prices', value: table }));
      setEditing(null);
      setProblem(null);
    } catch (error) {
      setProblem(toErrorShape(error).message);
    }
  };
  const save = (): void => {
    if (!editing) return;
    const next = withPrice(prices, editing.before, editing.draft);
    if ('problem' in next) setProblem(next.problem);
    else void write(next.table);
  };
  const cancel = (): void => {
    setEditing(null);
    setProblem(null);
  };
  return (
    <>
      <table className="grants prices">
        <caption>Prices in $ per million tokens</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Input</th>
            <th scope="col">Cached</th>
            <th scope="col">Output</th>
            <th scope="col">
              <span className="ui-sr">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(prices).map(([model, price]) => (
            <PriceRow
              key={model}
              model={model}
              price={price}
              onEdit={() => setEditing({ before: model, draft: toDraft(model, price) })}
              onRemove={() => void write(withoutPrice(prices, model))}
            />
          ))}
          {editing && (
            <PriceForm
              draft={editing.draft}
              onChange={(draft) => setEditing({ ...editing, draft })}
              onSave={save}
              onCancel={cancel}
            />
          )}
        </tbody>
      </table>
      {problem !== null && (
        <div className="setting-problem" role="alert">
          <Icon name="error" size={14} />
          {problem}
        </div>
      )}
      <div className="setting-row">
        <div className="setting-text">
          Well-known models have their list price; yours count instead. Models on this machine are free.
        </div>
        <Button icon="add" onClick={() => setEditing({ before: null, draft: EMPTY_PRICE })}>
          Add a price…
        </Button>
      </div>
    </>
  );
}

interface PriceRowProps {
  model: string;
  price: ModelPrice;
  onEdit: () => void;
  onRemove: () => void;
}

function PriceRow({ model, price, onEdit, onRemove }: PriceRowProps) {
  return (
    <tr>
      <td className="ui-mono grant-resource">{model}</td>
      <td>{price.input}</td>
      <td>{price.cached ?? '–'}</td>
      <td>{price.output}</td>
      <td>
        <IconButton small icon="edit" label={`Change the price of ${model}`} onClick={onEdit} />
        <IconButton small icon="trash" label={`Remove the price of ${model}`} onClick={onRemove} />
      </td>
    </tr>
  );
}

const FIELDS = [
  ['model', 'Model'],
  ['input', 'Input'],
  ['cached', 'Cached'],
  ['output', 'Output'],
] as const;

interface PriceFormProps {
  draft: PriceDraft;
  onChange: (draft: PriceDraft) => void;
  onSave: () => void;
  onCancel: () => void;
}

function PriceForm({ draft, onChange, onSave, onCancel }: PriceFormProps) {
  return (
    <tr
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSave();
        if (event.key === 'Escape') onCancel();
      }}
    >
      {FIELDS.map(([field, label], i) => (
        <td key={field}>
          <input
            autoFocus={i === 0}
            className="price-field"
            aria-label={label}
            placeholder={field === 'model' ? 'provider/model' : ''}
            inputMode={field === 'model' ? 'text' : 'decimal'}
            value={draft[field]}
            onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
          />
        </td>
      ))}
      <td>
        <IconButton small icon="check" label="Save the price" onClick={onSave} />
        <IconButton small icon="close" label="Leave the price as it was" onClick={onCancel} />
      </td>
    </tr>
  );
}
