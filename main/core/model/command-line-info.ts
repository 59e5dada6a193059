import type { ProviderInfo } from '../../../shared/contract/model';

/** Provider id of a model named on the command line. */
export const COMMAND_LINE_ID = 'command-line';

export const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);

/** The model that was named on the command line, as the list of providers shows it. */
export const commandLineInfo = (
  override: { baseUrl: string; model: string; apiKey: string | null },
  sees: boolean | null,
): ProviderInfo => ({
  id: COMMAND_LINE_ID,
  name: `Command line (${hostOf(override.baseUrl)})`,
  kind: 'custom',
  baseUrl: override.baseUrl,
  hasKey: override.apiKey !== null,
  needsKey: false,
  configured: true,
  reachable: null,
  models: [{ id: override.model, contextWindow: null, sees }],
  keyUrl: null,
});
