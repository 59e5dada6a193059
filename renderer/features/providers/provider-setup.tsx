import { useState } from 'react';
import type { ProviderInfo } from '../../../shared/contract/model';
import { useClient } from '../../lib/client-context';
import { appInfoStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import { Spinner } from '../../ui/spinner';
import { CheckResult } from './check-result';
import { ModelField } from './model-field';
import { addressProblem, CUSTOM, type ProviderForm } from './provider-form';
import './provider-setup.css';
import { useProviderForm, type ProviderFormState } from './use-provider-form';

export interface ProviderSetupProps {
  /** Which provider to begin with; null begins with the one in use. */
  providerId: string | null;
  onClose: () => void;
}

/** Sets up where answers come from: choose, give address and key, check for real, save, choose the default model. */
export function ProviderSetup({ providerId, onClose }: ProviderSetupProps) {
  const state = useProviderForm(providerId);
  const { form, provider, working } = state;
  const problem = addressProblem(form.baseUrl, form.apiKey !== '' || provider?.hasKey === true);
  const save = async (): Promise<void> => {
    if (!(await state.save())) return;
    const where = form.model === '' ? '' : form.model;
    pushToast({
      tone: 'ok',
      title: `${provider?.name ?? (form.name || 'The provider')} is set up`,
      text: where,
    });
    onClose();
  };
  return (
    <Dialog
      title="Set up a model"
      subtitle="Any provider that speaks the OpenAI API, or a server on this machine."
      icon="plug"
      width={520}
      onClose={onClose}
      footer={
        <>
          {provider?.configured === true && <RemoveButton state={state} onRemoved={onClose} />}
          <span className="ui-grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={form.check?.ok ? 'secondary' : 'primary'}
            busy={working === 'check'}
            disabled={problem !== null || working !== null}
            onClick={() => void state.check()}
          >
            Check
          </Button>
          <Button
            variant={form.check?.ok ? 'primary' : 'secondary'}
            busy={working === 'save'}
            disabled={problem !== null || working !== null || form.check === null}
            onClick={() => void save().catch(toastError)}
          >
            {form.check?.ok === false ? 'Save anyway' : 'Save'}
          </Button>
        </>
      }
    >
      {state.error !== null && <ErrorBox error={state.error} />}
      {state.providers === null && state.error === null ? (
        <Spinner tone="accent" label="Loading providers" />
      ) : (
        <ProviderFields state={state} problem={form.baseUrl === '' ? null : problem} />
      )}
    </Dialog>
  );
}

function RemoveButton({ state, onRemoved }: { state: ProviderFormState; onRemoved: () => void }) {
  const [asked, setAsked] = useState(false);
  const remove = async (): Promise<void> => {
    if (await state.remove()) onRemoved();
  };
  if (!asked) {
    return (
      <Button variant="quiet" onClick={() => setAsked(true)}>
        Remove…
      </Button>
    );
  }
  return (
    <Button
      variant="danger"
      busy={state.working === 'remove'}
      onClick={() => void remove().catch(toastError)}
    >
      Remove it and its key
    </Button>
  );
}

const GROUP: Record<ProviderInfo['kind'], number> = { preset: 0, local: 1, custom: 2, scripted: 3 };

function providerChoices(providers: readonly ProviderInfo[]) {
  const sorted = providers.toSorted((left, right) => GROUP[left.kind] - GROUP[right.kind]);
  const listed = sorted.map((provider) => ({
    value: provider.id,
    label: provider.configured ? `${provider.name} (set up)` : provider.name,
  }));
  return [...listed, { value: CUSTOM, label: 'Another address…' }];
}

function ProviderFields({ state, problem }: { state: ProviderFormState; problem: string | null }) {
  const { form, provider, edit } = state;
  const custom = provider === undefined || provider.kind === 'custom';
  return (
    <>
      <div className="ui-field">
        <span className="ui-field-label" aria-hidden="true">
          Provider
        </span>
        <Select
          label="Provider"
          value={form.providerId}
          choices={providerChoices(state.providers ?? [])}
          onChange={state.choose}
        />
      </div>
      {custom && (
        <Field
          label="Name"
          value={form.name}
          placeholder="As it is shown, for example Work gateway"
          onChange={(name) => edit({ name })}
        />
      )}
      <Field
        label="Address"
        type="url"
        value={form.baseUrl}
        placeholder="https://host/v1"
        error={problem}
        onChange={(baseUrl) => edit({ baseUrl })}
      />
      <KeyField form={form} provider={provider} onChange={(apiKey) => edit({ apiKey })} />
      <CheckResult check={form.check} />
      {(form.check !== null || form.model !== '') && (
        <ModelField form={form} onChange={(model) => edit({ model })} />
      )}
    </>
  );
}

interface KeyFieldProps {
  form: ProviderForm;
  provider: ProviderInfo | undefined;
  onChange: (apiKey: string) => void;
}

function KeyField({ form, provider, onChange }: KeyFieldProps) {
  const client = useClient();
  const host = useStore(appInfoStore, (info) => info?.host ?? 'web');
  const optional = provider !== undefined && !provider.needsKey && !provider.hasKey;
  const place = host === 'electron' ? 'the keychain of the system' : 'a file that only you can read';
  const keyUrl = provider?.keyUrl ?? null;
  return (
    <div className="provider-key">
      <Field
        label={optional ? 'Key (not needed here)' : 'Key'}
        type="password"
        autoComplete="new-password"
        value={form.apiKey}
        placeholder={provider?.hasKey === true ? 'A key is stored; type to replace it' : 'Paste the key'}
        hint={`Kept in ${place}; never shown again, never in logs or exports.`}
        onChange={onChange}
      />
      {keyUrl !== null && (
        <Button
          variant="quiet"
          size="small"
          icon="link-external"
          onClick={() => void client.app.openExternal({ url: keyUrl }).catch(toastError)}
        >
          Get a key
        </Button>
      )}
    </div>
  );
}
