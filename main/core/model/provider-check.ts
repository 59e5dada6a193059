import type { ProviderCheck } from '../../../shared/contract/model';
import { faultError, type Endpoint } from './errors';
import { isLoopbackHost } from './http-proxy';
import { getFrom, parseModelList } from './model-list';
import type { JsonAnswer } from './json-get';
import { networkError, seconds } from './network-error';
import type { KnownModel, ProviderPreset } from './presets';
import { readFaultBody } from './provider-fault';
import type { AppError } from '../../../shared/error';

/** How long a check may take. */
const CHECK_MS = 10_000;

export interface CheckTarget {
  name: string;
  baseUrl: string;
  apiKey: string | null;
  preset: ProviderPreset | null;
}

/** Tries base URL and key for real; every outcome is an answer, nothing is thrown and nothing stored. */
export async function checkProvider(target: CheckTarget): Promise<ProviderCheck> {
  if (target.preset?.ownUrl === true && target.baseUrl.includes('YOUR-RESOURCE')) {
    return failed(
      'The base URL still has its placeholder.',
      'Put the name of your resource into the base URL.',
    );
  }
  if (target.preset?.needsKey === true && target.apiKey === null) {
    return failed(
      `${target.name} needs a key.`,
      'Paste a key; the link leads to the page where one is made.',
    );
  }
  const startedAt = performance.now();
  const outcome = await tryList(target);
  const latencyMs = Math.round(performance.now() - startedAt);
  return { ...outcome, latencyMs };
}

const failed = (message: string, hint: string | null): ProviderCheck => ({
  ok: false,
  message,
  hint,
  latencyMs: null,
  models: [],
});

const failedWith = (error: AppError): ProviderCheck => failed(error.message, error.hint ?? null);

function endpointOf(target: CheckTarget): Endpoint {
  const url = new URL(target.baseUrl);
  const secrets = target.apiKey === null ? [] : [target.apiKey];
  return {
    name: target.name,
    host: url.host,
    local: isLoopbackHost(url.hostname),
    model: 'any model',
    secrets,
  };
}

async function tryList(target: CheckTarget): Promise<ProviderCheck> {
  const endpoint = endpointOf(target);
  try {
    const keyCheck = target.preset?.keyCheckPath;
    if (keyCheck !== undefined) {
      const answer = await ask(target, target.baseUrl, keyCheck);
      if (answer.status === 401 || answer.status === 403) return refused(answer, endpoint);
    }
    return await judge(await ask(target, target.baseUrl), target, endpoint);
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return failed(
        `${endpoint.host} did not answer within ${seconds(CHECK_MS)}.`,
        'Check the network, the proxy and the base URL.',
      );
    }
    return failedWith(networkError(error, endpoint, CHECK_MS));
  }
}

function ask(target: CheckTarget, baseUrl: string, path?: string): Promise<JsonAnswer> {
  const headers = { ...keyHeader(target), ...target.preset?.listHeaders };
  return getFrom(baseUrl, { headers, timeoutMs: CHECK_MS, ...(path === undefined ? {} : { path }) });
}

function keyHeader({ apiKey, preset }: CheckTarget): Record<string, string> {
  if (apiKey === null) return {};
  const name = preset?.listKeyHeader;
  return name === undefined ? { authorization: `Bearer ${apiKey}` } : { [name]: apiKey };
}

async function judge(answer: JsonAnswer, target: CheckTarget, endpoint: Endpoint): Promise<ProviderCheck> {
  const models = answer.status === 200 ? parseModelList(answer.value) : null;
  if (models !== null) return accepted(models, endpoint);
  const elsewhere = answer.status === 200 || answer.status === 404 || answer.status === 405;
  return elsewhere ? wrongPlace(answer, target, endpoint) : refused(answer, endpoint);
}

function accepted(models: KnownModel[], endpoint: Endpoint): ProviderCheck {
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  const none = models.length === 0;
  return {
    ok: !none,
    message: none
      ? `${endpoint.name} answers, but has no model.`
      : `Connected to ${endpoint.name}: ${count}.`,
    hint: none
      ? endpoint.local
        ? 'Download or load a model there first.'
        : 'Check what your account may use.'
      : null,
    latencyMs: null,
    models: models.map(({ id, contextWindow, sees = null }) => ({ id, contextWindow, sees })),
  };
}

const refused = (answer: JsonAnswer, endpoint: Endpoint): ProviderCheck =>
  failedWith(faultError(readFaultBody(answer.status, answer.text), endpoint));

/** Something answers, but no model list: most often `/v1` is missing, which is tried. */
async function wrongPlace(
  answer: JsonAnswer,
  target: CheckTarget,
  endpoint: Endpoint,
): Promise<ProviderCheck> {
  const better = `${target.baseUrl}/v1`;
  if (!/\/v\d/.test(target.baseUrl)) {
    const second = await ask(target, better);
    const found =
      second.status === 401 ||
      second.status === 403 ||
      (second.status === 200 && parseModelList(second.value) !== null);
    if (found)
      return failed(
        `There is no model list at ${target.baseUrl}, but there is one at ${better}.`,
        `Use ${better} as the base URL.`,
      );
  }
  const what =
    answer.status === 200
      ? 'answers, but not with a model list'
      : `has no model list at this address (${answer.status})`;
  return failed(
    `${endpoint.host} ${what}: it does not look like an OpenAI-compatible server.`,
    'Check the base URL; it usually ends in /v1.',
  );
}
