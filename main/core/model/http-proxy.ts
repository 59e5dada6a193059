import type { Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { HttpReply, HttpRequest } from './http-reply';

type Env = Readonly<Record<string, string | undefined>>;

const proxyVariables = (env: Env): { http: string; https: string; no: string } => {
  const http = env['http_proxy'] ?? env['HTTP_PROXY'] ?? '';
  return {
    http,
    https: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? http,
    no: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
};

/** `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(host)
  );
}

/** Whether the user's environment names a proxy for this URL. This machine itself is never asked through one. */
export function usesProxy(url: URL, env: Env): boolean {
  const { http, https, no } = proxyVariables(env);
  const proxy = url.protocol === 'https:' ? https : http;
  return proxy !== '' && !isLoopbackHost(url.hostname) && !isExcluded(url, no);
}

function isExcluded(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      const suffix = name.replace(/^\*?\./, '');
      const host = url.hostname.toLowerCase();
      return (
        (onlyPort === undefined || onlyPort === port) && (host === suffix || host.endsWith(`.${suffix}`))
      );
    });
}

const agents = new Map<string, Promise<EnvHttpProxyAgent>>();

/** One agent per set of proxies and connect limit, so that connections are reused. */
function agentFor(env: Env, connectMs: number): Promise<EnvHttpProxyAgent> {
  const { http, https } = proxyVariables(env);
  const key = JSON.stringify([http, https, connectMs]);
  const known = agents.get(key);
  if (known !== undefined) return known;
  const agent = import('undici').then(
    ({ EnvHttpProxyAgent }) =>
      new EnvHttpProxyAgent({
        ...(http === '' ? {} : { httpProxy: http }),
        ...(https === '' ? {} : { httpsProxy: https }),
        // Exclusions were judged before.
        noProxy: '',
        connect: { timeout: connectMs },
        proxyTls: { timeout: connectMs },
        requestTls: { timeout: connectMs },
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
  );
  agents.set(key, agent);
  return agent;
}

/** Sends through the proxy that the environment names; see sendHttp for the rest of the promise. */
export async function sendThroughProxy(request: HttpRequest, env: Env): Promise<HttpReply> {
  const agent = await agentFor(env, request.connectMs);
  const options: Dispatcher.RequestOptions = {
    origin: request.url.origin,
    path: `${request.url.pathname}${request.url.search}`,
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  };
  const { statusCode, headers, body } = await agent.request(options);
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body,
  };
}
