const HIDDEN = '***';
/** Shorter values would be found in ordinary text. */
const MIN_SECRET_CHARS = 8;

/**
 * Shapes that are keys and nothing else. Narrower than what the log hides: an export must keep ordinary text as it is.
 * The text is JSON, so a match never goes beyond a quote. The first group of a pattern is kept.
 */
const KEY_SHAPES: readonly RegExp[] = [
  /(\bBearer\s+)[A-Za-z0-9._~+/=-]{20,}/g,
  /(\b(?:sk|pk|rk)-)(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{20,}/g,
  /(\b(?:sk|rk)_live_)[A-Za-z0-9]{16,}/g,
  /(\b(?:gsk_|xai-|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|hf_|npm_))[A-Za-z0-9_-]{20,}/g,
  /(\bxox[abeoprs]-)[A-Za-z0-9-]{10,}/g,
  /(\bAKIA)[0-9A-Z]{16}\b/g,
  /(\bAIza)[A-Za-z0-9_-]{30,}/g,
  /(\beyJ)[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^"]*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?="))/g,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"]+:)[^\s/@"]+(?=@)/gi,
];

/**
 * Hides keys in a line of JSON (sec-D11): the given secrets wherever they stand, and everything that has the shape of a
 * well-known key. The line stays valid JSON.
 */
export function keyHider(secrets: readonly string[]): (line: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .sort((a, b) => b.length - a.length);
  return (line) => {
    let text = line;
    for (const secret of known) text = text.replaceAll(secret, HIDDEN);
    for (const shape of KEY_SHAPES) text = text.replace(shape, (_match, kept: string) => kept + HIDDEN);
    return text;
  };
}
