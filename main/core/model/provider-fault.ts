import { listOf, numberOf, parseJson, recordOf, textOf, type LooseRecord } from './loose';

/** What a provider said went wrong, whichever of their forms it used. */
export interface ProviderFault {
  /** HTTP status, or the one named inside a stream; null when there is none. */
  status: number | null;
  /** Machine words: code, type and status fields joined, lower case. */
  words: string;
  /** The provider's own sentence; '' when it gave none. */
  message: string;
  /** A wait named in the body (Google's RetryInfo), as text such as `17s`. */
  retryDelay?: string;
  /** Context size in tokens that the body names as a field (llama.cpp). */
  contextTokens?: number;
}

/** Longest provider message that is shown or logged. */
const MAX_MESSAGE_CHARS = 2000;

/**
 * Reads the error out of a parsed body or stream event; null when the value holds none. Knows `{error: {…}}`,
 * `{error: "…"}`, `[{error}]`, `{error_message}`, `{detail}`, `{type: "error"}` and `{response: {error}}`.
 */
export function readFault(value: unknown): ProviderFault | null {
  const root = recordOf(Array.isArray(value) ? value[0] : value);
  if (root === null) return null;
  const inner = root['error'] ?? recordOf(root['response'])?.['error'];
  if (typeof inner === 'string' && inner !== '') return fault(root, inner);
  const record = recordOf(inner);
  if (record !== null) return fault(record, sentenceOf(record));
  const flat = textOf(root['error_message']) || textOf(root['error_msg']);
  if (flat !== '') return fault(root, flat);
  if (root['type'] === 'error' || root['object'] === 'error') return fault(root, sentenceOf(root));
  return null;
}

/** Reads the body of a failed HTTP response; markup is dropped, never quoted (fault-F19). */
export function readFaultBody(status: number, body: string): ProviderFault {
  const text = body.trim();
  const parsed = parseJson(text);
  const found = readFault(parsed) ?? readBare(parsed);
  if (found !== null) return { ...found, status };
  const plain = text.startsWith('<') || /<(?:html|body|!doctype)/i.test(text.slice(0, 500)) ? '' : text;
  return { status, words: '', message: parsed === undefined ? cut(plain) : '' };
}

/** Bodies without an `error` field: `{message}`, `{detail: "…" | [{msg}]}`. */
function readBare(value: unknown): ProviderFault | null {
  const root = recordOf(value);
  if (root === null) return null;
  const message = sentenceOf(root);
  return message === '' ? null : fault(root, message);
}

function sentenceOf(record: LooseRecord): string {
  const upstream = textOf(recordOf(record['metadata'])?.['raw']);
  const message = textOf(record['message']) || textOf(record['msg']) || detailOf(record['detail']);
  if (upstream === '' || upstream.startsWith('<')) return message;
  const nested = readFault(parseJson(upstream))?.message ?? upstream;
  return message === '' || message === nested ? nested : `${message}: ${nested}`;
}

function detailOf(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  return listOf(detail)
    .map((entry) => textOf(recordOf(entry)?.['msg']))
    .filter((text) => text !== '')
    .join('; ');
}

function fault(record: LooseRecord, message: string): ProviderFault {
  const fields = [record['code'], record['type'], record['status'], record['error_type']];
  const numeric = fields.map(statusIn).find((status) => status !== null) ?? statusAtStart(message);
  const result: ProviderFault = {
    status: numeric ?? null,
    words: fields.map(textOf).join(' ').toLowerCase(),
    message: cut(message),
  };
  const delay = retryDelayIn(record);
  if (delay !== null) result.retryDelay = delay;
  const context = numberOf(record['n_ctx']);
  if (context !== null && context > 0) result.contextTokens = context;
  return result;
}

function statusIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : numberOf(value);
  return number !== null && number >= 400 && number < 600 ? number : null;
}

/** `400 Bad request …` as the whole message (fault-F24). */
function statusAtStart(message: string): number | null {
  return statusIn(/^\s*(?:error code:?\s*)?([45]\d\d)\b/i.exec(message)?.[1]);
}

function retryDelayIn(record: LooseRecord): string | null {
  for (const entry of listOf(record['details'])) {
    const delay = textOf(recordOf(entry)?.['retryDelay']);
    if (delay !== '') return delay;
  }
  return null;
}

/** Control characters but tab and line feed. */
const CONTROL = /\p{Cc}/gu;

function cut(message: string): string {
  const clean = message.replace(CONTROL, (char) => (char === '\n' || char === '\t' ? char : ' ')).trim();
  return clean.length <= MAX_MESSAGE_CHARS ? clean : `${clean.slice(0, MAX_MESSAGE_CHARS).toWellFormed()}…`;
}
