/** The line between the double and the test that started it: Node's own channel between parent and child. */

export type ControlEvent =
  | { event: 'chromium'; endpoint: string }
  | { event: 'window'; targetId: string; url: string }
  | { event: 'dialog'; id: number; kind: 'message' | 'open'; options: Record<string, unknown> }
  | { event: 'dialog-closed'; id: number }
  | { event: 'error-box'; title: string; content: string }
  | { event: 'notification'; title: string; body: string }
  | { event: 'shell'; what: string; argument: string }
  | { event: 'answer'; id: number; value?: unknown; error?: string };

export interface ControlRequest {
  id: number;
  what: string;
  argument: unknown;
}

type Handler = (argument: unknown) => unknown;

const handlers = new Map<string, Handler>();

/** True when a test listens: without one nobody could answer a dialog. */
export const isControlled = (): boolean => process.send !== undefined;

export function tell(event: ControlEvent): void {
  process.send?.(event);
}

/** Lets the test ask for something by name. */
export function onControl(what: string, handler: Handler): void {
  handlers.set(what, handler);
}

async function answer({ id, what, argument }: ControlRequest): Promise<void> {
  try {
    const handler = handlers.get(what);
    if (!handler) throw new Error(`The Electron double knows no control "${what}".`);
    tell({ event: 'answer', id, value: await handler(argument) });
  } catch (error) {
    tell({ event: 'answer', id, error: String(error) });
  }
}

process.on('message', (request: ControlRequest) => void answer(request));
// The test's end of the line must not keep the app alive.
process.channel?.unref();
