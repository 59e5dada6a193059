import type { ProviderCheck, ProviderInfo } from '../../../shared/contract/model';
import { AppError } from '../../../shared/error';
import type { SecretStore } from '../host-port';
import type { LearnedWindowStore } from '../store/types';
import { OpenAiProvider } from './openai-provider';
import type { ModelDirectory, ModelProvider, ResolvedModel } from './port';
import {
  DEFAULT_DIALECT,
  knownWindow,
  presetById,
  PRESETS,
  type KnownModel,
  type ProviderPreset,
} from './presets';
import { COMMAND_LINE_ID, commandLineInfo, hostOf } from './command-line-info';
import { LocalModelFacts } from './local-facts';
import { probeLocal, type LocalFacts } from './probe';
import { checkProvider } from './provider-check';
import {
  normalBaseUrl,
  normalKey,
  secretName,
  type ProviderConfig,
  type ProviderConfigStore,
} from './provider-config';
import { providerInfo, scriptedInfo, type ProviderFacts } from './provider-info';
import { withRetries } from './retry';
import { ScriptedProvider } from './scripted-provider';
import { SightKeeper, type BlindStore } from './sight-keeper';
import { TOUR_MODEL, TOUR_NAME, TOUR_PROVIDER_ID, tourScript } from './tour-script';

export interface CatalogOptions {
  secrets: SecretStore;
  config: ProviderConfigStore;
  settings: {
    /** `provider/model`, or '' for none. */
    defaultModel(): string;
    setDefaultModel(model: string): Promise<void>;
    /** Tokens assumed where nothing is known. */
    defaultWindow(): number;
    /** Which models take images, by the user's word; see `sightBySetting`. */
    sees?(): string;
  };
  learned: LearnedWindowStore;
  /** Models that refused images; forgotten with the process by default. */
  blind?: BlindStore;
  /** Model flags of the command line: the default of this process, stored nowhere. */
  override?: { baseUrl: string; model: string; apiKey: string | null };
  /** Answers for every model (tests, replay). */
  scripted?: ModelProvider;
}

interface Target {
  id: string;
  name: string;
  baseUrl: string;
  preset: ProviderPreset | null;
}

/** The providers that can be used, and which one a session's model is. Keys go in and never come out. */
export class ProviderCatalog implements ModelDirectory {
  private readonly live = new Map<string, Promise<ModelProvider>>();
  private readonly reachable = new Map<string, boolean>();
  private readonly found = new Map<string, readonly KnownModel[]>();
  /** As last resolved, by `provider/model`. */
  private readonly windows = new Map<string, number>();
  private readonly localFacts = new LocalModelFacts();
  private readonly sight: SightKeeper;
  private readonly listeners = new Set<(providers: ProviderInfo[]) => void>();
  private readonly tour = new ScriptedProvider({
    id: TOUR_PROVIDER_ID,
    name: TOUR_NAME,
    script: tourScript,
    delayMs: 12,
  });

  constructor(private readonly options: CatalogOptions) {
    this.sight = new SightKeeper(() => options.settings.sees?.() ?? '', options.blind ?? forgetful());
  }

  async list(): Promise<ProviderInfo[]> {
    const custom = this.options.config.read().filter(({ id }) => presetById(id) === null);
    const known = await Promise.all([
      ...PRESETS.map(({ id }) => this.info(id)),
      ...custom.map(({ id }) => this.info(id)),
    ]);
    const { override } = this.options;
    return [
      ...(override === undefined ? [] : [this.commandLine(override)]),
      ...known,
      scriptedInfo(this.tour, TOUR_MODEL),
    ];
  }

  private commandLine(override: NonNullable<CatalogOptions['override']>): ProviderInfo {
    const place = {
      providerId: COMMAND_LINE_ID,
      baseUrl: this.baseUrl(COMMAND_LINE_ID),
      model: override.model,
    };
    return commandLineInfo(override, this.sight.known(place, null));
  }

  /** Called with the new list after every change; returns how to stop. */
  onChange(listener: (providers: ProviderInfo[]) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Tries base URL and key without storing them; what is not given is taken from what is stored. */
  async check(input: { providerId: string; baseUrl?: string; apiKey?: string }): Promise<ProviderCheck> {
    const stored = this.target(input.providerId) ?? { name: 'The server', baseUrl: '', preset: null };
    try {
      const baseUrl = normalBaseUrl(input.baseUrl ?? stored.baseUrl);
      const apiKey =
        input.apiKey === undefined ? await this.key(input.providerId) : normalKey(input.apiKey) || null;
      return await checkProvider({ name: stored.name, baseUrl, apiKey, preset: stored.preset });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ok: false, message: error.message, hint: error.hint ?? null, latencyMs: null, models: [] };
    }
  }

  /** @throws AppError `bad_argument` for a bad URL or key, `not_found` for an unknown id, `io_failed` from the stores */
  async configure(input: {
    providerId: string | null;
    name?: string;
    baseUrl?: string;
    apiKey?: string;
  }): Promise<ProviderInfo> {
    const before = input.providerId === null ? null : this.target(input.providerId);
    if (input.providerId !== null && before === null) throw unknownProvider(input.providerId);
    const id = before?.id ?? this.freeId();
    const baseUrl = normalBaseUrl(input.baseUrl ?? before?.baseUrl ?? '');
    const apiKey = input.apiKey === undefined ? undefined : normalKey(input.apiKey);
    if (apiKey === '') await this.options.secrets.remove(secretName(id));
    else if (apiKey !== undefined) await this.options.secrets.set(secretName(id), apiKey);
    const old = this.config(id);
    const name = input.name?.trim() || old?.name;
    const moved = old !== null && old.baseUrl !== baseUrl;
    const models = moved ? undefined : old?.models;
    await this.store({
      id,
      baseUrl,
      ...(name === undefined ? {} : { name }),
      ...(models === undefined ? {} : { models }),
    });
    this.live.delete(id);
    this.sight.forget(baseUrl);
    await this.changed();
    return this.info(id);
  }

  async remove(providerId: string): Promise<void> {
    await this.options.secrets.remove(secretName(providerId));
    await this.options.config.write(this.options.config.read().filter(({ id }) => id !== providerId));
    this.live.delete(providerId);
    if (this.options.settings.defaultModel().startsWith(`${providerId}/`))
      await this.options.settings.setDefaultModel('');
    await this.changed();
  }

  /** Looks for the local servers, all at once, within a second. Returns those three. */
  async probe(): Promise<ProviderInfo[]> {
    const targets = PRESETS.filter(({ kind }) => kind === 'local');
    await Promise.all(targets.map((preset) => this.probeOne(preset)));
    await this.changed();
    return Promise.all(targets.map(({ id }) => this.info(id)));
  }

  private async probeOne(preset: ProviderPreset): Promise<void> {
    if (preset.local === undefined) return;
    const models = await probeLocal(preset.local, this.target(preset.id)?.baseUrl ?? preset.baseUrl);
    this.reachable.set(preset.id, models !== null);
    if (models !== null) this.found.set(preset.id, models);
  }

  async refreshModels(providerId: string): Promise<ProviderCheck> {
    const check = await this.check({ providerId });
    if (!check.ok) return check;
    this.found.set(providerId, check.models);
    this.sight.forget(this.baseUrl(providerId));
    const config = this.config(providerId);
    if (config !== null) await this.store({ ...config, models: check.models.slice(0, 1000) });
    await this.changed();
    return check;
  }

  /** What a session without a model of its own runs on: the command line's model, else the setting. */
  getDefault(): string | null {
    const { override, settings } = this.options;
    if (override !== undefined) return `${COMMAND_LINE_ID}/${override.model}`;
    return settings.defaultModel() || null;
  }

  /** @throws AppError `not_found` when the provider is unknown */
  async setDefault(model: string | null): Promise<void> {
    if (model !== null && model !== '') {
      const { providerId } = splitModel(model);
      if (providerId !== TOUR_PROVIDER_ID && this.target(providerId) === null)
        throw unknownProvider(providerId);
    }
    await this.options.settings.setDefaultModel(model ?? '');
    await this.changed();
  }

  async resolve(model: string | null): Promise<ResolvedModel> {
    const { scripted, override } = this.options;
    if (scripted !== undefined) return this.resolved(scripted, model ?? scripted.id, 'scripted');
    const chosen = model === null || model.startsWith(`${COMMAND_LINE_ID}/`) ? null : model;
    if (chosen !== null) return this.resolveNamed(chosen, 'chosen in the session');
    if (override !== undefined) {
      return this.resolved(await this.provider(COMMAND_LINE_ID), override.model, 'command line');
    }
    const setting = this.options.settings.defaultModel() || null;
    if (setting !== null) return this.resolveNamed(setting, 'default');
    const found = await this.firstUsable();
    if (found !== null) return this.resolveNamed(found, 'the only one set up');
    throw new AppError('no_model', 'No model is set up.', {
      hint: 'Add a key for a provider, start a local server such as Ollama, or take the offline tour.',
    });
  }

  learnContextWindow(providerId: string, model: string, tokens: number): void {
    if (Number.isInteger(tokens) && tokens > 0) this.options.learned.learn(providerId, model, tokens);
  }

  private async resolveNamed(name: string, reason: string): Promise<ResolvedModel> {
    const { providerId, model } = splitModel(name);
    if (providerId === TOUR_PROVIDER_ID) return this.resolved(this.tour, TOUR_MODEL, reason);
    const target = this.target(providerId);
    if (target === null || model === '') {
      throw new AppError('no_model', `The model ${name} is not set up any more.`, {
        hint: 'Choose another model in the model picker.',
        detail: { model: name },
      });
    }
    if (target.preset?.needsKey === true && !(await this.options.secrets.has(secretName(providerId)))) {
      throw new AppError('no_model', `${target.name} has no key.`, {
        hint: 'Add the key in the provider settings, or choose another model.',
        detail: { provider: providerId },
      });
    }
    return this.resolved(await this.provider(providerId), model, reason);
  }

  private async resolved(provider: ModelProvider, model: string, reason: string): Promise<ResolvedModel> {
    const contextWindow = await this.window(provider.id, model);
    this.windows.set(`${provider.id}/${model}`, contextWindow);
    const local = provider.local === true ? { local: true } : {};
    return { provider, model, contextWindow, reason, ...local, sees: await this.sees(provider.id, model) };
  }

  /** Learned from the server's own words, else listed, else asked of a local server, else well known, else assumed. */
  private async window(providerId: string, model: string): Promise<number> {
    const known =
      this.options.learned.get(providerId, model) ??
      this.models(providerId).find(({ id }) => id === model)?.contextWindow ??
      (await this.askLocal(providerId, model)).window ??
      knownWindow(model);
    return known ?? this.options.settings.defaultWindow();
  }

  /** Whether a model takes images; null when nobody says so. */
  private async sees(providerId: string, model: string): Promise<boolean | null> {
    const place = { providerId, baseUrl: this.baseUrl(providerId), model };
    const told = this.sight.told(place);
    if (told !== null) return told;
    const listed = this.models(providerId).find(({ id }) => id === model)?.sees ?? null;
    return this.sight.known(place, listed ?? (await this.askLocal(providerId, model)).sees);
  }

  private async askLocal(providerId: string, model: string): Promise<LocalFacts> {
    const target = this.target(providerId);
    if (target?.preset?.local === undefined) return { window: null, sees: null };
    return await this.localFacts.of(target.preset.local, target.baseUrl, model);
  }

  private baseUrl(providerId: string): string {
    const { override } = this.options;
    if (providerId === COMMAND_LINE_ID && override !== undefined) return normalBaseUrl(override.baseUrl);
    return this.target(providerId)?.baseUrl ?? '';
  }

  /** The first provider with a key or a running local server, with its first model. */
  private async firstUsable(): Promise<string | null> {
    const configured = (await this.list()).find(
      ({ id, kind, configured, models }) =>
        kind !== 'scripted' && id !== COMMAND_LINE_ID && configured && models.length > 0,
    );
    const found =
      configured ??
      (await this.probe()).find(({ reachable, models }) => reachable === true && models.length > 0);
    return found === undefined ? null : `${found.id}/${found.models[0]?.id ?? ''}`;
  }

  private provider(id: string): Promise<ModelProvider> {
    const known = this.live.get(id);
    if (known !== undefined) return known;
    const made = this.make(id);
    this.live.set(id, made);
    made.catch(() => this.live.delete(id));
    return made;
  }

  private async make(id: string): Promise<ModelProvider> {
    const { override } = this.options;
    const target =
      id === COMMAND_LINE_ID && override !== undefined
        ? { id, name: new URL(override.baseUrl).host, baseUrl: normalBaseUrl(override.baseUrl), preset: null }
        : this.target(id);
    if (target === null) throw unknownProvider(id);
    const apiKey = id === COMMAND_LINE_ID ? (override?.apiKey ?? null) : await this.key(id);
    const provider = new OpenAiProvider({
      id,
      name: target.name,
      baseUrl: target.baseUrl,
      apiKey,
      dialect: target.preset?.dialect ?? DEFAULT_DIALECT,
      windowOf: (model) => this.windows.get(`${id}/${model}`) ?? null,
      onBlind: (model) => this.sight.learnBlind({ baseUrl: target.baseUrl, model }),
    });
    // Loads while the caller puts its first prompt together; a failure shows again on use.
    provider.warm().catch(() => undefined);
    return withRetries(provider);
  }

  private async info(id: string): Promise<ProviderInfo> {
    const target = this.target(id);
    if (target === null) throw unknownProvider(id);
    const facts: ProviderFacts = {
      ...target,
      hasKey: await this.options.secrets.has(secretName(id)),
      stored: this.config(id) !== null,
      reachable: this.reachable.get(id) ?? null,
      models: this.models(id).map((model) => ({
        ...model,
        sees: this.sight.known({ providerId: id, baseUrl: target.baseUrl, model: model.id }, model.sees),
      })),
    };
    return providerInfo(facts);
  }

  private models(id: string): readonly KnownModel[] {
    return this.found.get(id) ?? this.config(id)?.models ?? presetById(id)?.models ?? [];
  }

  private target(id: string): Target | null {
    const preset = presetById(id);
    const config = this.config(id);
    if (preset === null && config === null) return null;
    const baseUrl = config?.baseUrl ?? preset?.baseUrl ?? '';
    return { id, name: config?.name ?? preset?.name ?? hostOf(baseUrl), baseUrl, preset };
  }

  private config(id: string): ProviderConfig | null {
    return this.options.config.read().find((entry) => entry.id === id) ?? null;
  }

  private key(id: string): Promise<string | null> {
    return this.options.secrets.get(secretName(id));
  }

  private async store(entry: ProviderConfig): Promise<void> {
    const others = this.options.config.read().filter(({ id }) => id !== entry.id);
    await this.options.config.write([...others, entry]);
  }

  private freeId(): string {
    const taken = new Set(this.options.config.read().map(({ id }) => id));
    for (let number = 1; ; number += 1) if (!taken.has(`custom-${number}`)) return `custom-${number}`;
  }

  private async changed(): Promise<void> {
    if (this.listeners.size === 0) return;
    const providers = await this.list();
    for (const listener of this.listeners) listener(providers);
  }
}

const forgetful = (): BlindStore => {
  let list: string[] = [];
  return { read: () => list, write: (next) => void (list = next) };
};

/** `openrouter/anthropic/claude` is the model `anthropic/claude` of `openrouter`. */
function splitModel(name: string): { providerId: string; model: string } {
  const slash = name.indexOf('/');
  return slash === -1
    ? { providerId: name, model: '' }
    : { providerId: name.slice(0, slash), model: name.slice(slash + 1) };
}

const unknownProvider = (id: string): AppError =>
  new AppError('not_found', `There is no provider "${id.slice(0, 80)}".`, {
    hint: 'Choose one from the list.',
  });
