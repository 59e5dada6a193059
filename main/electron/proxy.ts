type Env = Readonly<Record<string, string | undefined>>;

/** Any address outside: what the system says of it holds for providers too, unless a script tells hosts apart. */
const PROBE_URL = 'https://api.openai.com/';
const NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

export interface SystemProxyOptions {
  env: Env;
  /** Electron's `app.resolveProxy`: answers in the words of a PAC script, "PROXY host:port; DIRECT". */
  resolve: (url: string) => Promise<string>;
  limitMs?: number;
}

/**
 * The variables that make the core use the proxy of the system's settings; empty when the environment names one already
 * (which counts), when there is none, and when the system does not tell within `limitMs` (1 s).
 */
export async function systemProxyEnv(options: SystemProxyOptions): Promise<Record<string, string>> {
  if (NAMES.some((name) => options.env[name])) return {};
  const answer = await inTime(options.resolve(PROBE_URL), options.limitMs ?? 1000);
  const url = proxyUrl(answer ?? '');
  return url === null ? {} : { HTTPS_PROXY: url, HTTP_PROXY: url };
}

/** The first HTTP proxy of a PAC answer; SOCKS is not spoken by the core's HTTP client. */
function proxyUrl(answer: string): string | null {
  const [first = ''] = answer.split(';');
  const [, kind, address] = /^\s*(PROXY|HTTPS)\s+([\w.[\]:-]+)\s*$/i.exec(first) ?? [];
  if (kind === undefined || address === undefined) return null;
  return `${kind.toUpperCase() === 'HTTPS' ? 'https' : 'http'}://${address}`;
}

async function inTime(work: Promise<string>, limitMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  try {
    return await Promise.race([work.catch(() => null), limit]);
  } finally {
    clearTimeout(timer);
  }
}
