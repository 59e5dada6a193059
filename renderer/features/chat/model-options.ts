import type { ProviderInfo } from '../../../shared/contract/model';
import { splitModel } from '../../lib/model-name';

export interface ModelOption {
  /** `provider/model`; null follows the default. */
  readonly value: string | null;
  readonly label: string;
  readonly detail: string;
  /** It is known to take images. */
  readonly sees?: boolean;
  /** Heading of the group it stands in. */
  readonly group: string;
}

/** Everything that can be chosen: the default first, then the models of every provider that is set up. */
export function modelOptions(
  providers: readonly ProviderInfo[],
  defaultModel: string | null,
  query: string,
): ModelOption[] {
  const usable = providers.filter((provider) => provider.configured && provider.reachable !== false);
  const all: ModelOption[] = [
    ...(defaultModel === null
      ? []
      : [{ value: null, label: 'Default', detail: splitModel(defaultModel).model, group: '' }]),
    ...usable.flatMap((provider) =>
      provider.models.map((model) => ({
        value: `${provider.id}/${model.id}`,
        label: model.id,
        detail: model.note ?? windowText(model.contextWindow),
        group: provider.name,
        ...(model.sees === true ? { sees: true } : {}),
      })),
    ),
  ];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ label, group }) =>
    words.every((word) => `${group} ${label}`.toLowerCase().includes(word)),
  );
}

const windowText = (tokens: number | null): string =>
  tokens === null ? '' : `${Math.round(tokens / 1000).toLocaleString('en')}k`;
