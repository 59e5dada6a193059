import type { Handlers } from '../../shared/contract/contract';
import { untilAborted } from '../api/until-aborted';
import type { NativeApprovals } from './native-approvals';
import type { WindowCommands } from './window-commands';

/** The contract as this host serves it: the window is not asked what a native box asks, and hears of native menus. */
export const electronHandlers = (
  handlers: Handlers,
  approvals: NativeApprovals,
  commands: WindowCommands,
): Handlers => ({
  ...handlers,
  app: {
    ...handlers.app,
    commands: (_params, send, context) =>
      untilAborted(
        context.signal,
        commands.listen((command) => void send(command)),
      ),
  },
  turn: {
    ...handlers.turn,
    approvals: () => approvals.forWindow(),
    approvalsChanged: (_params, send, context) => {
      void send(approvals.forWindow());
      return untilAborted(
        context.signal,
        approvals.listen((pending) => void send([...pending])),
      );
    },
  },
});
