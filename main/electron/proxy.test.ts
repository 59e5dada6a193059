import { expect, test } from 'vitest';
import { systemProxyEnv } from './proxy';

const resolved = (answer: string, env = {}) => systemProxyEnv({ env, resolve: async () => answer });

test('the system’s proxy becomes variables that the model client reads', async () => {
  const url = 'http://proxy.example:3128';
  expect(await resolved('PROXY proxy.example:3128; DIRECT')).toEqual({ HTTPS_PROXY: url, HTTP_PROXY: url });
  expect(await resolved('HTTPS p:443')).toMatchObject({ HTTPS_PROXY: 'https://p:443' });
});

test('variables of the environment count first; direct, SOCKS, nonsense and silence change nothing', async () => {
  expect(await resolved('PROXY p:1', { https_proxy: 'http://own:1' })).toEqual({});
  for (const answer of ['DIRECT', 'SOCKS5 p:1080', 'PROXY http://x/ y', ''])
    expect(await resolved(answer)).toEqual({});
  const silent = { env: {}, resolve: () => new Promise<string>(() => undefined), limitMs: 10 };
  expect(await systemProxyEnv(silent)).toEqual({});
  expect(await systemProxyEnv({ env: {}, resolve: () => Promise.reject(new Error('no')) })).toEqual({});
});
