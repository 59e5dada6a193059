import type { HandlersOf } from '../../shared/contract/define';
import type { terminal } from '../../shared/contract/terminal';
import type { Core } from '../core/core';
import type { TerminalService } from '../core/terminal/terminal-service';
import { untilAborted } from './until-aborted';

export const terminalApi = (core: Core): HandlersOf<typeof terminal> => {
  const terminals = async (): Promise<TerminalService> => (await core.requireProject().desk()).terminals;
  return {
    list: async () => (await terminals()).list(),
    open: async (request) => (await terminals()).open(request),
    write: async ({ id, data }) => {
      await (await terminals()).write(id, data);
      return null;
    },
    resize: async ({ id, cols, rows }) => {
      (await terminals()).resize(id, cols, rows);
      return null;
    },
    acknowledge: async ({ id, chars }, context) => {
      (await terminals()).acknowledge(id, chars, context.clientId);
      return null;
    },
    restart: async ({ id }) => (await terminals()).restart(id),
    close: async ({ id }) => {
      await (await terminals()).close(id);
      return null;
    },
    output: async ({ id }, send, context) => {
      const stop = (await terminals()).subscribe(id, send, context.clientId);
      return untilAborted(context.signal, stop);
    },
    changed: async (_params, send, context) => {
      const service = await terminals();
      void send(service.list());
      return untilAborted(
        context.signal,
        service.onChange((list) => void send(list)),
      );
    },
  };
};
