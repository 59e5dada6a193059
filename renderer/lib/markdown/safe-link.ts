/** Where a link may lead and what to show of it. */
export interface SafeLink {
  readonly url: string;
  /** Host in its ASCII form, so that look-alike letters show; the address for mail. */
  readonly host: string;
}

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Only http, https and mailto with an absolute address; everything else is shown as text (sec-D06). */
export function safeLink(href: string): SafeLink | null {
  if (href.length > 2048 || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (!PROTOCOLS.has(url.protocol)) return null;
  return { url: url.href, host: url.protocol === 'mailto:' ? url.pathname : url.host };
}

/** The host of any address, for saying where an image would have come from; '' when it has none. */
export function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).host : '';
}

/** A path inside the project with an optional 1-based line, as agents write it in links: `src/a.ts`, `src/a.ts:12`, `a.ts#L3`. */
export function projectPath(href: string): { path: string; line?: number } | null {
  const match = /^(?!\w+:|\/|\\|#)([^#?:\s]+\.[\w-]+)(?:(?::|#L)(\d+)(?:[:-]L?\d+)*)?$/.exec(href);
  const path = match?.[1]?.replace(/^\.\//, '');
  if (!path || path.split('/').includes('..')) return null;
  return match?.[2] ? { path, line: Number(match[2]) } : { path };
}
