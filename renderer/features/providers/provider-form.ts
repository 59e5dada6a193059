import type { ProviderCheck, ProviderInfo } from '../../../shared/contract/model';

/** The choice that stands for an address of the user's own. */
export const CUSTOM = 'custom';

export interface ProviderForm {
  /** A provider's id, or {@link CUSTOM} for a new one. */
  providerId: string;
  name: string;
  baseUrl: string;
  /** What was typed now; '' leaves a stored key as it is. */
  apiKey: string;
  model: string;
  /** The last check and the values that it was made with; null after these changed. */
  check: ProviderCheck | null;
}

export function startForm(providers: readonly ProviderInfo[], wanted: string | null): ProviderForm {
  if (wanted === CUSTOM) return formFor(providers, CUSTOM);
  const first = providers.find((provider) => provider.id === wanted) ?? suggestProvider(providers);
  return formFor(providers, first?.id ?? CUSTOM);
}

const suggestProvider = (providers: readonly ProviderInfo[]): ProviderInfo | undefined =>
  providers.find((provider) => provider.configured) ??
  providers.find((provider) => provider.kind === 'preset');

/** A fresh form for the provider that was chosen. */
export function formFor(providers: readonly ProviderInfo[], providerId: string): ProviderForm {
  const provider = providers.find((other) => other.id === providerId);
  return {
    providerId,
    name: provider?.kind === 'custom' ? provider.name : '',
    baseUrl: provider?.baseUrl ?? '',
    apiKey: '',
    model: '',
    check: null,
  };
}

/** Changed values make an earlier check worthless. */
export function editForm(form: ProviderForm, change: Partial<ProviderForm>): ProviderForm {
  const touches = change.baseUrl !== undefined || change.apiKey !== undefined;
  return { ...form, ...change, ...(touches ? { check: null } : {}) };
}

/** Takes a check's answer in and picks a model: the one named before if it is there, else the first. */
export function checkedForm(form: ProviderForm, check: ProviderCheck, known: string | null): ProviderForm {
  const ids = check.models.map((model) => model.id);
  const wished = [form.model, known ?? ''].find((id) => ids.includes(id));
  return { ...form, check, model: wished ?? (form.model === '' ? (ids[0] ?? '') : form.model) };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Why an address can't be used, or null. A key over plain HTTP would be readable on the way. */
export function addressProblem(baseUrl: string, withKey: boolean): string | null {
  if (baseUrl.trim() === '')
    return 'Type the address of an OpenAI-compatible API, for example https://host/v1.';
  const url = URL.parse(baseUrl.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return 'The address must start with https:// or http://.';
  }
  if (url.username !== '' || url.password !== '')
    return 'Put the key into its own field, not into the address.';
  if (url.protocol === 'http:' && withKey && !LOOPBACK.test(url.hostname)) {
    return 'A key is sent over https:// only, or to this machine.';
  }
  return null;
}
