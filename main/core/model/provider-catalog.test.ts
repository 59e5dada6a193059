import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { png } from '../../../e2e/support/pictures';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { SecretStore } from '../host-port';
import { ProviderCatalog, type CatalogOptions } from './provider-catalog';
import type { ProviderConfig } from './provider-config';
import { ScriptedProvider } from './scripted-provider';

const KEY = 'sk-a-very-secret-key';

interface World {
  catalog: ProviderCatalog;
  secrets: Map<string, string>;
  configs: ProviderConfig[];
  settings: { model: string };
}

function world(changes: Partial<CatalogOptions> = {}, configs: ProviderConfig[] = []): World {
  const secrets = new Map<string, string>();
  const store: SecretStore = {
    get: async (name) => secrets.get(name) ?? null,
    set: async (name, value) => void secrets.set(name, value),
    remove: async (name) => void secrets.delete(name),
    has: async (name) => secrets.has(name),
  };
  const learned = new Map<string, number>();
  const settings = { model: '' };
  const result: World = { secrets, configs, settings, catalog: undefined as unknown as ProviderCatalog };
  result.catalog = new ProviderCatalog({
    secrets: store,
    config: { read: () => result.configs, write: (list) => void (result.configs = list) },
    settings: {
      defaultModel: () => settings.model,
      setDefaultModel: async (model) => void (settings.model = model),
      defaultWindow: () => 128_000,
    },
    learned: {
      get: (provider, model) => learned.get(`${provider}/${model}`) ?? null,
      learn: (provider, model, tokens) => void learned.set(`${provider}/${model}`, tokens),
    },
    ...changes,
  });
  return result;
}

/** A plain web server that answers every path alike. */
async function webServer(status: number, body: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

test('a custom provider is set up, listed, resolved and removed; its key never comes out', async () => {
  await using model = await startScriptedModel({
    apiKey: KEY,
    script: ['Hi'],
    models: [{ id: 'big', context_length: 50_000 }],
  });
  const { catalog, secrets, settings } = world();
  const seen: string[] = [];
  const stop = catalog.onChange((list) => seen.push(JSON.stringify(list)));
  const made = await catalog.configure({
    providerId: null,
    name: 'Mine',
    baseUrl: `${model.url}/`,
    apiKey: ` ${KEY} `,
  });
  expect(made).toMatchObject({
    id: 'custom-1',
    name: 'Mine',
    kind: 'custom',
    baseUrl: model.url,
    hasKey: true,
    configured: true,
  });
  expect(secrets.get('provider.custom-1')).toBe(KEY);
  expect(await catalog.refreshModels('custom-1')).toMatchObject({
    ok: true,
    models: [{ id: 'big', contextWindow: 50_000 }],
  });
  await catalog.setDefault('custom-1/big');
  const resolved = await catalog.resolve(null);
  expect(resolved).toMatchObject({ model: 'big', contextWindow: 50_000, reason: 'default' });
  const stream = resolved.provider.stream(
    { model: 'big', messages: [{ role: 'user', content: 'x' }], tools: [], toolChoice: 'auto' },
    { signal: new AbortController().signal },
  );
  expect((await stream.next()).value).toEqual({ type: 'text', text: 'Hi' });
  await stream.return(undefined as never);
  catalog.learnContextWindow('custom-1', 'big', 32_000);
  expect((await catalog.resolve('custom-1/big')).contextWindow).toBe(32_000);
  await catalog.remove('custom-1');
  expect(secrets.size).toBe(0);
  expect(settings.model).toBe('');
  await expect(catalog.resolve('custom-1/big')).rejects.toMatchObject({ code: 'no_model' });
  stop();
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.join()).not.toContain(KEY);
  expect(JSON.stringify(await catalog.list())).not.toContain(KEY);
});

test('a check says exactly what is wrong, and stores nothing', async () => {
  await using model = await startScriptedModel({ apiKey: KEY });
  const page = await webServer(200, '<html>Welcome</html>');
  const { catalog, secrets, configs } = world();
  const check = (baseUrl: string, apiKey: string): ReturnType<ProviderCatalog['check']> =>
    catalog.check({ providerId: 'new', baseUrl, apiKey });
  const good = await check(model.url, KEY);
  expect(good).toMatchObject({ ok: true, hint: null, models: [{ id: 'scripted' }] });
  expect(good.message).toContain('1 model');
  expect(good.latencyMs).toBeGreaterThanOrEqual(0);
  const wrong = await check(model.url, 'sk-some-wrong-key');
  expect(wrong.ok).toBe(false);
  expect(wrong.message).toMatch(/refused the key \(401\)/);
  expect(JSON.stringify(wrong)).not.toContain('sk-some-wrong-key');
  expect((await check(model.url, '')).message).toContain('wants a key');
  const noV1 = await check(model.url.replace(/\/v1$/, ''), KEY);
  expect(noV1.hint).toBe(`Use ${model.url} as the base URL.`);
  expect((await check(`${page.url}/v1`, '')).message).toContain(
    'does not look like an OpenAI-compatible server',
  );
  page.close();
  const gone = await check(`${page.url}/v1`, '');
  expect(gone.message).toContain("can't be reached");
  expect(gone.hint).toContain('running?');
  expect((await check('ftp://x', '')).message).toContain('is not an address');
  expect(secrets.size + configs.length).toBe(0);
});

test('bad input to configure is refused with a reason', async () => {
  const { catalog } = world();
  for (const input of [
    { providerId: null, baseUrl: 'nonsense' },
    { providerId: null, baseUrl: 'https://user:pass@example.com/v1' },
    { providerId: null, baseUrl: 'https://example.com/v1', apiKey: 'two\nlines' },
  ]) {
    await expect(catalog.configure(input)).rejects.toMatchObject({ code: 'bad_argument' });
  }
  await expect(catalog.configure({ providerId: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
});

test('an empty key removes the stored one, a missing key keeps it', async () => {
  const { catalog } = world();
  await catalog.configure({ providerId: 'openai', apiKey: KEY });
  expect((await catalog.configure({ providerId: 'openai' })).hasKey).toBe(true);
  expect(await catalog.resolve('openai/gpt-4o-2024-08-06')).toMatchObject({ contextWindow: 128_000 });
  expect((await catalog.configure({ providerId: 'openai', apiKey: '' })).hasKey).toBe(false);
  await expect(catalog.resolve('openai/gpt-5')).rejects.toMatchObject({ code: 'no_model' });
});

test('with a key and nothing chosen the first model of that provider is used', async () => {
  const { catalog } = world();
  await catalog.configure({ providerId: 'anthropic', apiKey: KEY });
  expect(await catalog.resolve(null)).toMatchObject({ model: 'claude-sonnet-4-5', contextWindow: 200_000 });
});

test('model names may hold slashes', async () => {
  const { catalog } = world();
  await catalog.configure({ providerId: 'openrouter', apiKey: KEY });
  expect(await catalog.resolve('openrouter/anthropic/claude-sonnet-4.5')).toMatchObject({
    model: 'anthropic/claude-sonnet-4.5',
    contextWindow: 200_000,
  });
});

test('flags of the command line are the default of their process and are not stored', async () => {
  await using model = await startScriptedModel({ script: ['Hi'] });
  const { catalog, configs } = world({ override: { baseUrl: model.url, model: 'mock', apiKey: null } });
  const resolved = await catalog.resolve(null);
  expect(resolved).toMatchObject({ model: 'mock', reason: 'command line' });
  expect(resolved.provider.id).toBe('command-line');
  expect(configs).toEqual([]);
  expect((await catalog.resolve('command-line/other')).model).toBe('mock');
  expect((await catalog.list())[0]).toMatchObject({ id: 'command-line', configured: true });
  expect(catalog.getDefault()).toBe('command-line/mock');
});

test('the offline tour is always there, labelled as scripted', async () => {
  const { catalog } = world();
  const { provider } = await catalog.resolve('tour/scripted');
  expect(provider).toMatchObject({ scripted: true, name: 'Offline tour – scripted, no model' });
  expect((await catalog.list()).at(-1)).toMatchObject({ id: 'tour', kind: 'scripted', configured: true });
});

test('a scripted provider given to the catalog answers for every model', async () => {
  const scripted = new ScriptedProvider({ script: ['Hi'] });
  const { catalog } = world({ scripted });
  expect((await catalog.resolve('openai/gpt-5')).provider).toBe(scripted);
});

test('the real context size of an Ollama model is asked for', async () => {
  await using model = await startScriptedModel({
    models: [{ id: 'llama3:8b' }],
    ollama: { numCtx: 16_384, contextLength: 131_072 },
  });
  const { catalog } = world({}, [{ id: 'ollama', baseUrl: model.url }]);
  const [ollama] = await catalog.probe();
  expect(ollama).toMatchObject({
    id: 'ollama',
    reachable: true,
    configured: true,
    models: [{ id: 'llama3:8b' }],
  });
  expect((await catalog.resolve('ollama/llama3:8b')).contextWindow).toBe(16_384);
});

test('a probe gives up servers that are not there, and one that takes the connection and says nothing', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close().closeAllConnections());
  const { catalog } = world({}, [
    { id: 'ollama', baseUrl: 'http://127.0.0.1:9/v1' },
    { id: 'lmstudio', baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1` },
  ]);
  const found = await catalog.probe();
  expect(found.map(({ id }) => id)).toEqual(['ollama', 'lmstudio', 'llamacpp']);
  expect(found.slice(0, 2).map(({ reachable }) => reachable)).toEqual([false, false]);
});

test('which models see: listed by the provider, asked of Ollama, told by their names, unknown else; the user decides', async () => {
  const sees = { setting: '' };
  await using model = await startScriptedModel({
    models: [
      { id: 'a/reader', architecture: { input_modalities: ['text', 'image'] } },
      { id: 'openai/gpt-4o', architecture: { input_modalities: ['text'] } },
      { id: 'pixy', capabilities: { vision: true } },
      { id: 'lm', type: 'vlm' },
      { id: 'claude-x' },
      { id: 'mystery' },
    ],
  });
  const { catalog } = world({
    settings: {
      ...{ defaultModel: () => '', setDefaultModel: async () => undefined, defaultWindow: () => 8000 },
      sees: () => sees.setting,
    },
  });
  const { id } = await catalog.configure({ providerId: null, baseUrl: model.url });
  await catalog.refreshModels(id);
  const resolved = async (name: string) => (await catalog.resolve(`${id}/${name}`)).sees;
  const names = ['a/reader', 'openai/gpt-4o', 'pixy', 'lm', 'claude-x', 'mystery'];
  expect(await Promise.all(names.map(resolved))).toEqual([true, false, true, true, true, null]);
  const listed = (await catalog.list()).find((provider) => provider.id === id)?.models;
  expect(listed?.map((each) => each.sees)).toEqual([true, false, true, true, true, null]);
  sees.setting = 'myst*, !pixy';
  expect([await resolved('mystery'), await resolved('pixy')]).toEqual([true, false]);
  await using ollama = await startScriptedModel({ ollama: { capabilities: ['completion', 'vision'] } });
  await using plain = await startScriptedModel({ ollama: { capabilities: ['completion'] } });
  for (const [server, expected] of [
    [ollama, true],
    [plain, false],
  ] as const) {
    await catalog.configure({ providerId: 'ollama', baseUrl: server.url });
    expect((await catalog.resolve('ollama/whatever:7b')).sees).toBe(expected);
  }
});

test('a model that refused images is known not to see, over restarts, until its server is set up anew or the user says else', async () => {
  await using model = await startScriptedModel({
    script: [{ status: 400, body: { error: { message: 'm is not a multimodal model' } } }, 'ok'],
    models: [{ id: 'm' }],
  });
  let kept: string[] = [];
  let said = '';
  const make = (configs: ProviderConfig[] = []) =>
    world(
      {
        blind: { read: () => kept, write: (list) => void (kept = list) },
        settings: {
          ...{ defaultModel: () => '', setDefaultModel: async () => undefined, defaultWindow: () => 8000 },
          sees: () => said,
        },
      },
      configs,
    );
  const first = make();
  const { id } = await first.catalog.configure({ providerId: null, baseUrl: model.url });
  const { provider, sees } = await first.catalog.resolve(`${id}/m`);
  expect(sees).toBeNull();
  const image = { mime: 'image/png', base64: png(2, 2).toString('base64') };
  const stream = provider.stream(
    {
      model: 'm',
      messages: [{ role: 'user', content: 'x', images: [image] }],
      tools: [],
      toolChoice: 'auto',
    },
    { signal: new AbortController().signal },
  );
  while (!(await stream.next()).done);
  const later = make(first.configs).catalog;
  expect((await later.resolve(`${id}/m`)).sees).toBe(false);
  said = 'm';
  expect((await later.resolve(`${id}/m`)).sees).toBe(true);
  said = '';
  await later.refreshModels(id);
  expect((await later.resolve(`${id}/m`)).sees).toBeNull();
});
