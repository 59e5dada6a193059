import { contract, type Handlers } from '../../shared/contract/contract';
import { createRouter } from '../rpc/router';
import type { HostLog } from './host-log';
import { startServer } from './server';

export interface WebHostOptions {
  handlers: Handlers;
  /** 0 = any free port. */
  port: number;
  /** Folder of the built window. */
  rendererDir: string;
  logger: HostLog;
  /** Checks what handlers return against the contract; on in development and tests by default. */
  checkOutput?: boolean;
}

export interface WebHost {
  /** Opens the window once, in one browser; {@link WebHost.newLink} makes more. */
  readonly url: string;
  readonly port: number;
  /** For scripts: `Authorization: Bearer …` on the REST routes (docs/rest.md). */
  readonly token: string;
  newLink(): string;
  /** Ends all connections; the core is the caller's to close. */
  close(): Promise<void>;
}

/**
 * Serves the window to browsers on this machine, at 127.0.0.1 only.
 *
 * @throws AppError `conflict` when the port is taken, `io_failed` when it can't be bound
 */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const { handlers, port, rendererDir, logger } = options;
  const router = createRouter({
    domains: contract,
    handlers,
    checkOutput: options.checkOutput ?? isDevelopment(),
    onFailure: (channel, error) => logger.error(`${channel} failed`, { error }),
  });
  const server = await startServer({ router, port, rendererDir, log: logger });
  return {
    url: server.newLink(),
    port: server.port,
    token: server.apiToken,
    newLink: () => server.newLink(),
    close: () => server.close(),
  };
}

const isDevelopment = (): boolean => ['development', 'test'].includes(process.env['NODE_ENV'] ?? '');
