import type { Bridge } from '../../shared/contract/names';
import { fellBehind } from '../../shared/contract/frames';
import type { Transport } from './client';
import { failed, parseBridgeFrame, parseEnvelope } from './frames';
import type { ConnectionStatus } from './reconnecting-socket';
import { createStore } from './store';

export interface ElectronTransportOptions {
  /** Told when a stream ends with a failure; the pane that holds it gets no more messages. */
  onStreamFailure?: (channel: string, message: string) => void;
}

/** Talks to the main process over what the preload exposes as `window.lathe`. Never lost while the window lives. */
export function createElectronTransport(bridge: Bridge, options: ElectronTransportOptions = {}): Transport {
  const status = createStore<ConnectionStatus>('open');
  const onFailure = options.onStreamFailure ?? logStreamFailure;

  const invoke: Transport['invoke'] = async (channel, input) => {
    try {
      return parseEnvelope(await bridge.invoke(channel, input));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failed('internal', `${channel} could not be called: ${message}`, 'Reload the window.');
    }
  };

  const subscribe: Transport['subscribe'] = (channel, params, onMessage) => {
    let stopped = false;
    let detach = (): void => {};
    const attach = () => {
      detach = bridge.subscribe(channel, params, (raw) => {
        const frame = parseBridgeFrame(raw);
        if (stopped || !frame) return;
        if (frame.kind === 'message') return onMessage(frame.payload);
        if (fellBehind(frame.error)) return attach();
        if (frame.error) onFailure(channel, frame.error.message);
      });
    };
    attach();
    return () => {
      stopped = true;
      detach();
    };
  };

  return { invoke, subscribe, status };
}

export function logStreamFailure(channel: string, message: string): void {
  console.error(`${channel} ended: ${message}`);
}
