import { z } from 'zod';
import { AppError } from '../../../shared/error';

/** What is stored of a provider that the user set up; its key lives in the secret store. */
export const ProviderConfig = z.object({
  id: z.string().min(1).max(80),
  name: z.string().max(80).optional(),
  /** Without a trailing slash. */
  baseUrl: z.string().max(2048),
  /** The model list as last fetched, so that the picker is filled after a restart. */
  models: z
    .array(
      z.object({
        id: z.string(),
        contextWindow: z.int().nullable(),
        sees: z.boolean().nullable().optional(),
      }),
    )
    .max(1000)
    .optional()
    .catch(undefined),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

/** Where the list of providers is kept: the user's scope only, never a project. */
export interface ProviderConfigStore {
  read(): ProviderConfig[];
  write(list: ProviderConfig[]): void | Promise<void>;
}

/** Name of a provider's key in the secret store. */
export const secretName = (providerId: string): string => `provider.${providerId}`;

/**
 * A base URL as it is stored and sent: trimmed, without trailing slashes or `/chat/completions`.
 *
 * @throws AppError `bad_argument` when it is no http(s) URL, or has credentials, a query or a fragment
 */
export function normalBaseUrl(text: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError('bad_argument', `"${trimmed.slice(0, 200)}" is not an address.`, {
      hint: 'Give a full URL such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1.',
    });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AppError('bad_argument', 'The base URL must not hold a password, a query or a fragment.', {
      hint: 'Put the key into the key field.',
    });
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return `${url.origin}${path.replace(/\/+$/, '')}`;
}

/**
 * A key as it is stored: trimmed.
 *
 * @throws AppError `bad_argument` when it holds characters that no header can carry
 */
export function normalKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new AppError('bad_argument', 'The key holds spaces, line breaks or characters that no key has.', {
      hint: 'Copy it again from the provider’s page.',
    });
  }
  return key;
}
