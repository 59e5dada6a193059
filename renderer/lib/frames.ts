import './no-eval';
import { BridgeFrame, HostFrame } from '../../shared/contract/frames';
import { type Envelope, EnvelopeSchema } from '../../shared/error';

/** A frame of the host, or null when the text is none: a newer host may send kinds that this window does not know. */
export function parseHostFrame(text: unknown): HostFrame | null {
  if (typeof text !== 'string') return null;
  try {
    return HostFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export const parseBridgeFrame = (frame: unknown): BridgeFrame | null =>
  BridgeFrame.safeParse(frame).data ?? null;

/** The reply to a request; anything else counts as a failure of the host. */
export function parseEnvelope(reply: unknown): Envelope {
  const parsed = EnvelopeSchema.safeParse(reply);
  if (parsed.success) return parsed.data;
  return failed(
    'internal',
    'The host gave an answer that this window does not understand.',
    'Reload the window.',
  );
}

export const failed = (
  code: 'internal' | 'io_failed' | 'unauthorized' | 'timed_out',
  message: string,
  hint: string,
): Envelope => ({ ok: false, error: { code, message, hint, audience: 'user' } });
