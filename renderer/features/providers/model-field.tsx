import { useState } from 'react';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import type { ProviderForm } from './provider-form';

const OTHER = '\u0000other';

interface ModelFieldProps {
  form: ProviderForm;
  onChange: (model: string) => void;
}

/** Chooses from the server's list; servers without one, or with an incomplete one, take a typed name. */
export function ModelField({ form, onChange }: ModelFieldProps) {
  const [typing, setTyping] = useState(false);
  const models = form.check?.models ?? [];
  const listed = models.some((model) => model.id === form.model);
  if (models.length === 0 || typing || (form.model !== '' && !listed)) {
    return (
      <Field
        label="Default model"
        value={form.model}
        placeholder="Type the model’s name"
        onChange={onChange}
        hint="New sessions use it; each session can choose another."
      />
    );
  }
  const choices = models.map(({ id, contextWindow }) => ({
    value: id,
    label: contextWindow === null ? id : `${id} (${Math.round(contextWindow / 1000)}k)`,
  }));
  return (
    <div className="ui-field">
      <span className="ui-field-label" aria-hidden="true">
        Default model
      </span>
      <Select
        label="Default model"
        value={form.model}
        choices={[...choices, { value: OTHER, label: 'Another name…' }]}
        onChange={(model) => {
          if (model === OTHER) setTyping(true);
          else onChange(model);
        }}
      />
      <span className="ui-field-hint">New sessions use it; each session can choose another.</span>
    </div>
  );
}
