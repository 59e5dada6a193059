const HIDDEN = '***';

/** Field names whose text is never written down. `key` alone is a harmless name (settings, state). */
const SECRET_FIELD =
  /(?:api[-_]?key|access[-_]?key|private[-_]?key|authorization|cookie|secret|password|passphrase|passwd|credential|token)s?$/i;

/** Each pattern keeps its first group and hides the rest. */
const SECRET_TEXT: readonly RegExp[] = [
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi,
  /((?:authorization|x-api-key|api-key|cookie|set-cookie)["']?\s*[:=]\s*["']?)(?!(?:Bearer|Basic)\s)[^\s"',;}]{4,}/gi,
  /([?&;](?:access_|auth_|id_|refresh_)?(?:token|api_?key|key|secret|password|sig|signature|code)=)[^&\s"'#]+/gi,
  /((?:api[-_]?key|secret|password|token)["']?\s*[:=]\s*["']?)[^\s"',;&}]{6,}/gi,
  /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi,
  /(\b(?:sk|pk|rk|gsk|xai|ghp|gho|ghu|ghs|github_pat|glpat|xox[abprs]|AKIA|AIza|hf)[-_]?)[A-Za-z0-9_-]{16,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Replaces keys, Authorization values, tokens and passwords in URLs by `***` (sec-D11). */
export function redactText(text: string): string {
  let result = text;
  for (const pattern of SECRET_TEXT) {
    result = result.replace(
      pattern,
      (match: string, kept: string) =>
        kept + HIDDEN + (match.endsWith('@') && kept.endsWith('://') ? '@' : ''),
    );
  }
  return result;
}

const MAX_DEPTH = 6;

function plainError(error: Error): Record<string, unknown> {
  const { name, message, stack, cause, ...rest } = error;
  return {
    name,
    message,
    ...rest,
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** A copy fit for the log: secrets hidden, errors spelled out, cycles and depths over six cut. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error) return redact(plainError(value), depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    copy[name] = typeof field === 'string' && SECRET_FIELD.test(name) ? HIDDEN : redact(field, depth + 1);
  }
  return copy;
}
