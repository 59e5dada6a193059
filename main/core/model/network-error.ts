import { redact, type Endpoint } from './errors';
import { CONNECT_TIMEOUT } from './http-client';
import { ModelError } from './model-error';

const CERTIFICATE =
  /^(?:CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)|ERR_SSL_/;

/** A connection that could not be made or broke before the response began, as a failure that names host and remedy. */
export function networkError(error: unknown, endpoint: Endpoint, connectMs: number): ModelError {
  const code = errorCode(error);
  const detail = { host: endpoint.host, model: endpoint.model, ...(code === '' ? {} : { network: code }) };
  if (code === CONNECT_TIMEOUT || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ModelError(
      'provider_timeout',
      `${endpoint.host} did not accept a connection within ${seconds(connectMs)}.`,
      { detail, cause: error, hint: reachHint(endpoint), retry: { limit: 5 } },
    );
  }
  if (CERTIFICATE.test(code)) {
    return new ModelError(
      'provider_unreachable',
      `The certificate of ${endpoint.host} is not trusted (${code}).`,
      {
        detail,
        cause: error,
        hint: 'If your network inspects TLS, name its root certificate in NODE_EXTRA_CA_CERTS and start again.',
      },
    );
  }
  const words = code === '' ? redact(messageOf(error), endpoint.secrets) : code;
  return new ModelError(
    'provider_unreachable',
    `${endpoint.host} can't be reached: ${wording(code, words)}.`,
    {
      detail,
      cause: error,
      hint: reachHint(endpoint),
      // A server on this machine that isn't running won't be there in a second either.
      retry: { limit: endpoint.local && code === 'ECONNREFUSED' ? 1 : 5 },
    },
  );
}

export const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`);

function wording(code: string, words: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (connection refused)';
    case 'ENOTFOUND':
      return 'there is no such host';
    case 'EAI_AGAIN':
      return 'names could not be looked up; the network may be down';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed';
    default:
      return words;
  }
}

function reachHint(endpoint: Endpoint): string {
  if (!endpoint.local) return 'Check the network, the proxy and the base URL in the provider settings.';
  const known = ['Ollama', 'LM Studio', 'llama.cpp'].includes(endpoint.name);
  return known ? `Is ${endpoint.name} running?` : `Is the server at ${endpoint.host} running?`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's code of an error, of its cause, or of the first of several (addresses tried in turn). */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}
