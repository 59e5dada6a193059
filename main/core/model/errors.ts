import type { ErrorCode } from '../../../shared/error';
import { overflowIn } from './context-overflow';
import { ModelError, type ModelErrorOptions, type RetryAdvice } from './model-error';
import type { ProviderFault } from './provider-fault';
import { durationMs, MAX_SERVER_WAIT_MS } from './retry-after';

/** Who a request went to: what an error message names, and what it must never show. */
export interface Endpoint {
  /** Name shown to the user, such as "OpenAI". */
  name: string;
  /** Host and port. */
  host: string;
  /** On this machine. */
  local: boolean;
  model: string;
  /** Keys that must not appear in any message. */
  secrets: readonly string[];
}

interface Verdict {
  code: ErrorCode;
  /** What happened, without the provider's own words. */
  what: string;
  hint?: string;
  retry?: RetryAdvice;
  window?: number | null;
}

/** Faults that pass by themselves: the retry layer's own cap decides. */
const TRANSIENT: RetryAdvice = { limit: 5 };

/**
 * Turns a provider's fault into a failure with a code, its exact words (escaped, at most 2 kB) and what to do.
 *
 * @param waitMs what the server asked for in headers; null = nothing
 */
export function faultError(
  fault: ProviderFault,
  endpoint: Endpoint,
  waitMs: number | null = null,
  options: ModelErrorOptions = {},
): ModelError {
  const asked = waitMs ?? durationMs(fault.retryDelay ?? '');
  const verdict = withWait(judge(fault, endpoint), asked);
  const said = redact(fault.message, endpoint.secrets);
  return new ModelError(verdict.code, said === '' ? `${verdict.what}.` : `${verdict.what}: ${said}`, {
    ...(verdict.hint === undefined ? {} : { hint: verdict.hint }),
    ...(verdict.retry === undefined ? {} : { retry: verdict.retry }),
    ...(typeof verdict.window === 'number' ? { learnedContextWindow: verdict.window } : {}),
    detail: {
      host: endpoint.host,
      model: endpoint.model,
      ...(fault.status === null ? {} : { status: fault.status }),
      ...(said === '' ? {} : { providerMessage: said }),
    },
    ...options,
  });
}

/** `text` with every key in it blotted out. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 6)
    .reduce((result, secret) => result.replaceAll(secret, '[key]'), text);
}

function withWait(verdict: Verdict, waitMs: number | null): Verdict {
  if (verdict.retry === undefined || waitMs === null) return verdict;
  if (waitMs <= MAX_SERVER_WAIT_MS) return { ...verdict, retry: { ...verdict.retry, waitMs } };
  return {
    code: verdict.code,
    what: `${verdict.what} and asks to wait ${longWait(waitMs)}`,
    hint: 'Try again after that, or choose another model.',
  };
}

function longWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

type Rule = (fault: ProviderFault, endpoint: Endpoint) => Verdict | null;

/** In order: the first rule that knows the fault decides. */
const RULES: readonly Rule[] = [
  overflow,
  quota,
  filtered,
  noTools,
  auth,
  tooLarge,
  rate,
  busy,
  model,
  wrongPlace,
  passing,
];

function judge(fault: ProviderFault, endpoint: Endpoint): Verdict {
  for (const rule of RULES) {
    const verdict = rule(fault, endpoint);
    if (verdict !== null) return verdict;
  }
  const status = statusText(fault);
  return fault.status !== null && fault.status >= 500
    ? { code: 'provider_protocol', what: `${endpoint.name} can't do this${status}` }
    : { code: 'provider_invalid_request', what: `${endpoint.name} refused the request${status}` };
}

const statusText = ({ status }: ProviderFault): string => (status === null ? '' : ` (${status})`);

function overflow(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  const found = overflowIn(fault);
  if (found === null) return null;
  return {
    code: 'provider_context',
    what: `The conversation is too long for ${endpoint.model}${statusText(fault)}`,
    hint: 'Shorten the conversation (/compact), start a new session or choose a model with a larger context.',
    window: found.window,
  };
}

function quota(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  const spent =
    /insufficient_quota|billing|insufficient_balance|payment_required/.test(fault.words) ||
    /insufficient (?:balance|credits?|funds)|credit balance is too low|billing (?:hard )?limit|requires more credits/i.test(
      fault.message,
    ) ||
    // Google words its rate limit like this too, but then says when to come back.
    (/exceeded your current quota|quota exceeded/i.test(fault.message) && fault.retryDelay === undefined);
  if (!spent && fault.status !== 402) return null;
  return {
    code: 'provider_quota',
    what: `The account at ${endpoint.name} has no quota left${statusText(fault)}`,
    hint: 'Add credit or raise the limit at the provider, or choose another model.',
  };
}

function filtered(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  if (!/content_filter|content_policy|responsibleaipolicy|safety|moderation/.test(fault.words)) return null;
  return {
    code: 'provider_filtered',
    what: `${endpoint.name} filtered the request${statusText(fault)}`,
    hint: 'Edit the last message and send it again.',
  };
}

const NO_TOOLS =
  /(?:does not|doesn't|do not) support (?:\w+ )?(?:tools?|function|tool[_ -]?(?:use|call))|support tool use|tool[_ -]?(?:use|calling) is not supported|tools? (?:is|are) not supported|`?tools`? (?:is|are) not (?:supported|allowed)/i;

function noTools(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  if (!NO_TOOLS.test(fault.message)) return null;
  return {
    code: 'provider_no_tools',
    what: `${endpoint.model} can't call tools${statusText(fault)}`,
    hint: 'The agent reads, edits and runs through tools. Choose a model that supports tool calling.',
  };
}

function auth(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  const words = /invalid_api_key|authentication|unauthori[sz]ed|permission|unauthenticated/.test(fault.words);
  const wrongKey = /api.?key not valid|incorrect api key|invalid api key/i.test(fault.message);
  if (fault.status !== 401 && fault.status !== 403 && !words && !wrongKey) return null;
  const noKey = endpoint.secrets.length === 0;
  const refused = fault.status === 403 ? 'refused access' : noKey ? 'wants a key' : 'refused the key';
  return {
    code: 'provider_auth',
    what: `${endpoint.name} at ${endpoint.host} ${refused}${statusText(fault)}`,
    hint: noKey
      ? 'Add a key in the provider settings.'
      : 'Check the key and its rights in the provider settings.',
  };
}

function tooLarge(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  if (fault.status !== 413 && !/request_too_large/.test(fault.words)) return null;
  return {
    code: 'provider_too_large',
    what: `The request is too large for ${endpoint.name}${statusText(fault)}`,
    hint: 'Remove images or large files from the message, or start a new session.',
  };
}

function rate(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  if (fault.status !== 429 && !/rate.?limit|resource_exhausted|too_many_requests/.test(fault.words))
    return null;
  return {
    code: 'provider_rate_limit',
    what: `${endpoint.name} limits the rate of requests${statusText(fault)}`,
    hint: 'Wait a little, or choose another model.',
    retry: TRANSIENT,
  };
}

function busy(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  const words = /overloaded|unavailable|server_error|internal_error|internal_server|api_error|timeout/.test(
    fault.words,
  );
  const said = /overloaded|at capacity|temporarily unavailable|loading model|try again later/i.test(
    fault.message,
  );
  const known = fault.status === 529 || fault.status === 503;
  if (!known && !(fault.status === null && said) && !(words && !isRefusal(fault.status))) return null;
  return {
    code: 'provider_overloaded',
    what: `${endpoint.name} is overloaded or out of service${statusText(fault)}`,
    hint: 'Try again in a while, or choose another model.',
    retry: TRANSIENT,
  };
}

const isRefusal = (status: number | null): boolean => status !== null && (status < 500 || status === 501);

function model(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  const words = /model_not_found|model_not_exist|modelnotfound/.test(fault.words);
  const said = fault.status === 404 && /model/i.test(fault.message);
  if (!words && !said) return null;
  return {
    code: 'provider_model',
    what: `${endpoint.name} does not know the model ${endpoint.model}${statusText(fault)}`,
    hint: 'Choose another model; the list is in the model picker.',
    // Providers answer 404 for models they do have, now and then (fault-F30).
    retry: { limit: endpoint.local ? 0 : 1 },
  };
}

function wrongPlace(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  if (fault.status !== 404 && fault.status !== 405) return null;
  return {
    code: 'provider_protocol',
    what: `${endpoint.host} has no chat completions at this address${statusText(fault)}`,
    hint: 'Check the base URL in the provider settings; it usually ends in /v1.',
  };
}

const PASSING_STATUSES = new Set([409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

function passing(fault: ProviderFault, endpoint: Endpoint): Verdict | null {
  const { status } = fault;
  if (status === 408) {
    return { code: 'provider_timeout', what: `${endpoint.name} took too long (408)`, retry: TRANSIENT };
  }
  if (status === null || !PASSING_STATUSES.has(status)) return null;
  return {
    code: 'provider_overloaded',
    what: `${endpoint.name} at ${endpoint.host} had a fault${statusText(fault)}`,
    hint: 'Try again in a while, or choose another model.',
    retry: TRANSIENT,
  };
}
