import { z } from 'zod';
import { toErrorShape } from '../../shared/error';
import type { Core } from '../core/core';
import type { WebHost } from '../web/web-host';

const SCOPE = 'host';
const KEY = 'web.port';
const Port = z.int().min(1024).max(65_535);

/**
 * Starts the web host on the port it had last time, if that is free, so that windows which outlived the host find it
 * again. A port that was asked for is used as it is.
 *
 * @param start listens on a port (0 = any) @throws AppError `conflict` when it is taken
 */
export async function onUsualPort(
  { store, log }: Pick<Core, 'store' | 'log'>,
  asked: number,
  start: (port: number) => Promise<WebHost>,
): Promise<WebHost> {
  const host = await startNear(asked, Port.safeParse(store.state.get(SCOPE, KEY)).data ?? 0, start);
  try {
    store.state.set(SCOPE, KEY, host.port);
  } catch (error) {
    log.warn('the port could not be remembered', { error: String(error) });
  }
  return host;
}

async function startNear(
  asked: number,
  usual: number,
  start: (port: number) => Promise<WebHost>,
): Promise<WebHost> {
  if (asked !== 0) return start(asked);
  try {
    return await start(usual);
  } catch (error) {
    if (usual === 0 || toErrorShape(error).code !== 'conflict') throw error;
    return start(0);
  }
}
