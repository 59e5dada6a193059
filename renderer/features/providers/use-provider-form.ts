import { useEffect, useState } from 'react';
import type { ProviderInfo } from '../../../shared/contract/model';
import { useClient } from '../../lib/client-context';
import { checkedForm, CUSTOM, editForm, formFor, startForm, type ProviderForm } from './provider-form';

export type Work = 'check' | 'save' | 'remove';

export interface ProviderFormState {
  /** Null until the host answered. */
  providers: readonly ProviderInfo[] | null;
  form: ProviderForm;
  /** The provider of the form as the host knows it; undefined for a new one. */
  provider: ProviderInfo | undefined;
  working: Work | null;
  error: unknown;
  edit: (change: Partial<ProviderForm>) => void;
  choose: (providerId: string) => void;
  check: () => Promise<void>;
  /** Stores address and key, makes the model the default one; true when it is done. */
  save: () => Promise<boolean>;
  remove: () => Promise<boolean>;
}

/** One piece of work at a time, and why the last one failed. */
function useWork() {
  const [working, setWorking] = useState<Work | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: Work, act: () => Promise<void>): Promise<boolean> => {
    setWorking(work);
    setError(null);
    try {
      await act();
      return true;
    } catch (reason) {
      setError(reason);
      return false;
    } finally {
      setWorking(null);
    }
  };
  return { working, error, setError, run };
}

const EMPTY = formFor([], CUSTOM);

export function useProviderForm(wanted: string | null): ProviderFormState {
  const client = useClient();
  const [providers, setProviders] = useState<readonly ProviderInfo[] | null>(null);
  const [form, setForm] = useState<ProviderForm>(EMPTY);
  const [known, setKnown] = useState<string | null>(null);
  const { working, error, setError, run } = useWork();
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const [all, { model }] = await Promise.all([
        client.model.providers(null),
        client.model.getDefault(null),
      ]);
      if (!current) return;
      const listed = all.filter((provider) => provider.kind !== 'scripted');
      setProviders(listed);
      setKnown(model);
      setForm(withKnownModel(startForm(listed, wanted ?? model?.split('/')[0] ?? null), model));
    };
    load().catch((reason: unknown) => {
      if (current) setError(reason);
    });
    return () => {
      current = false;
    };
  }, [client, wanted, setError]);

  const provider = providers?.find((other) => other.id === form.providerId);
  const values = () => ({
    baseUrl: form.baseUrl.trim(),
    ...(form.apiKey === '' ? {} : { apiKey: form.apiKey.trim() }),
  });
  const check = async (): Promise<void> => {
    await run('check', async () => {
      const result = await client.model.check({ providerId: form.providerId, ...values() });
      setForm((now) => checkedForm(now, result, modelOf(known, now.providerId)));
    });
  };
  const save = (): Promise<boolean> =>
    run('save', async () => {
      const custom = provider === undefined || provider.kind === 'custom';
      const stored = await client.model.configure({
        providerId: provider?.id ?? null,
        ...(custom ? { name: form.name.trim() || hostOf(form.baseUrl) } : {}),
        ...values(),
      });
      const model = form.model.trim();
      if (model !== '') await client.model.setDefault({ model: `${stored.id}/${model}` });
    });
  const remove = (): Promise<boolean> =>
    run('remove', async () => {
      if (provider) await client.model.remove({ providerId: provider.id });
    });
  return {
    providers,
    form,
    provider,
    working,
    error,
    edit: (change) => setForm((now) => editForm(now, change)),
    choose: (providerId) => {
      setError(null);
      setForm(withKnownModel(formFor(providers ?? [], providerId), known));
    },
    check,
    save,
    remove,
  };
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? 'Custom';

/** The model's own name when `known` (`provider/model`) belongs to this provider. */
const modelOf = (known: string | null, providerId: string): string | null =>
  known?.startsWith(`${providerId}/`) ? known.slice(providerId.length + 1) : null;

const withKnownModel = (form: ProviderForm, known: string | null): ProviderForm => ({
  ...form,
  model: modelOf(known, form.providerId) ?? '',
});
