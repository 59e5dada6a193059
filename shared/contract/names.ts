/**
 * Channel names alone, without zod: the sandboxed preload is one small CommonJS file and lets only these through.
 * `names.test.ts` keeps them equal to the contract.
 */
export const REQUEST_NAMES = [
  'app.info',
  'app.readLog',
  'app.openExternal',
  'app.reportError',
  'app.windowState',
  'agent.list',
  'plan.edit',
  'plan.build',
  'project.current',
  'project.recent',
  'project.open',
  'project.pickFolder',
  'project.browse',
  'project.openTour',
  'project.close',
  'project.forget',
  'files.list',
  'files.read',
  'files.save',
  'files.create',
  'files.move',
  'files.remove',
  'files.find',
  'files.reveal',
  'files.backups',
  'files.keepBackup',
  'files.dropBackup',
  'session.list',
  'session.create',
  'session.get',
  'session.rename',
  'session.remove',
  'session.configure',
  'session.older',
  'session.compact',
  'turn.start',
  'turn.resume',
  'turn.interject',
  'turn.stop',
  'turn.approvals',
  'turn.replyApproval',
  'turn.replyQuestion',
  'turn.revertEdit',
  'turn.editTexts',
  'context.next',
  'context.item',
  'context.mark',
  'context.undoCompaction',
  'context.rules',
  'terminal.list',
  'terminal.open',
  'terminal.write',
  'terminal.resize',
  'terminal.acknowledge',
  'terminal.restart',
  'terminal.close',
  'model.providers',
  'model.check',
  'model.configure',
  'model.remove',
  'model.probe',
  'model.refreshModels',
  'model.getDefault',
  'model.setDefault',
  'settings.get',
  'settings.set',
  'settings.grants',
  'settings.revokeGrant',
  'state.get',
  'state.set',
] as const;

export const EVENT_NAMES = [
  'app.notices',
  'app.commands',
  'project.changed',
  'files.changed',
  'session.events',
  'session.changed',
  'turn.approvalsChanged',
  'context.changed',
  'terminal.output',
  'terminal.changed',
  'model.changed',
  'settings.changed',
] as const;

/** The raw IPC channels that the preload and main/electron/ipc.ts share; nothing else is ever used. */
export const IPC = {
  invoke: 'lathe:invoke',
  subscribe: 'lathe:subscribe',
  unsubscribe: 'lathe:unsubscribe',
  acknowledge: 'lathe:acknowledge',
  message: 'lathe:message',
} as const;

/** What the preload exposes as `window.lathe`: plain data in, plain data out. */
export interface Bridge {
  /** Resolves to an envelope {ok, value | error}; rejects only when the channel name is unknown. */
  invoke(channel: string, input: unknown): Promise<unknown>;
  /** `onMessage` gets {kind:'message', payload} or {kind:'end', error?}; the returned function unsubscribes. */
  subscribe(channel: string, params: unknown, onMessage: (frame: unknown) => void): () => void;
}
