import { homedir } from 'node:os';
import { AppError } from '../../shared/error';
import type { app } from '../../shared/contract/app';
import type { HandlersOf } from '../../shared/contract/define';
import type { Core } from '../core/core';
import { untilAborted } from './until-aborted';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Only links a person may follow without harm reach the system (sec-H05). */
function vetLink(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !LINK_SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppError(
      'bad_argument',
      'This link can’t be opened: only http, https and mailto links without a password are.',
    );
  }
  return url.href;
}

export const appApi = (core: Core): HandlersOf<typeof app> => ({
  info: () => ({
    name: 'Lathe',
    version: core.version,
    host: core.host.kind === 'electron' ? 'electron' : 'web',
    platform: process.platform,
    homeDir: homedir(),
    dataDir: core.dataDir,
    logPath: core.log.path,
    startNotices: core.startNotices,
  }),
  readLog: ({ maxBytes }) => ({ path: core.log.path, text: core.log.tail(maxBytes) }),
  openExternal: async ({ url }) => {
    const vetted = vetLink(url);
    if (!core.host.openExternal)
      throw new AppError('unsupported', 'This host can’t open links; copy the address instead.');
    await core.host.openExternal(vetted);
    return null;
  },
  reportError: ({ message, stack }) => {
    core.log.error('window error', { message, stack });
    return null;
  },
  windowState: (facts, context) => {
    core.windows.update(context.clientId, facts);
    return null;
  },
  notices: (_params, send, context) =>
    untilAborted(
      context.signal,
      core.notices.listen((notice) => void send(notice)),
      () => core.windows.remove(context.clientId),
    ),
  commands: (_params, send, context) =>
    untilAborted(
      context.signal,
      core.commands.listen((command) => void send(command)),
    ),
});
