import { z } from 'zod';

/**
 * Every failure that crosses a boundary carries one of these codes. The closed list lets a pane decide what to
 * offer (retry, open settings, locate folder) without parsing prose.
 */
export const ErrorCode = z.enum([
  'bad_argument',
  'not_found',
  'conflict',
  'stale',
  'busy',
  'not_approved',
  'denied_by_rule',
  'mode_forbids',
  'outside_workspace',
  'path_unresolved',
  'protected_path',
  'symlink_escape',
  'unsupported_encoding',
  'binary_file',
  'file_too_large',
  'no_project',
  'folder_missing',
  'folder_unreadable',
  'disk_full',
  'io_failed',
  'store_corrupt',
  'store_newer',
  'provider_auth',
  'provider_quota',
  'provider_rate_limit',
  'provider_overloaded',
  'provider_unreachable',
  'provider_timeout',
  'provider_invalid_request',
  'provider_model',
  'provider_filtered',
  'provider_empty',
  'provider_context',
  'provider_too_large',
  'provider_no_tools',
  'provider_protocol',
  'no_model',
  'budget_exceeded',
  'cancelled',
  'timed_out',
  'unauthorized',
  'unsupported',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** Who has to act on a failure: it decides where the message is shown. */
export const ErrorAudience = z.enum(['user', 'model', 'log']);
export type ErrorAudience = z.infer<typeof ErrorAudience>;

/** The serialised form of an AppError; `detail` holds the facts (path, status, host, limit …), never secrets. */
export const ErrorShape = z.object({
  code: ErrorCode,
  message: z.string(),
  /** What the reader can do about it, as one sentence; shown under the message. */
  hint: z.string().optional(),
  audience: ErrorAudience.default('user'),
  detail: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorShape = z.infer<typeof ErrorShape>;

export interface AppErrorOptions {
  hint?: string;
  audience?: ErrorAudience;
  detail?: Record<string, unknown>;
  cause?: unknown;
}

/** A failure with a code, a message that says what happened, and a hint that says what to do. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly audience: ErrorAudience;
  readonly detail: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.audience = options.audience ?? 'user';
    this.detail = options.detail;
  }

  toShape(): ErrorShape {
    return {
      code: this.code,
      message: this.message,
      audience: this.audience,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.detail === undefined ? {} : { detail: this.detail }),
    };
  }
}

/** Turns anything thrown into the wire form; unknown throws become `internal` with their message kept. */
export function toErrorShape(error: unknown): ErrorShape {
  if (error instanceof AppError) return error.toShape();
  if (error instanceof Error && error.name === 'AbortError') {
    return { code: 'cancelled', message: 'The operation was cancelled.', audience: 'log' };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message, audience: 'user' };
}

/** The opposite of {@link toErrorShape}: what a client throws when an envelope carries a failure. */
export function fromErrorShape(shape: ErrorShape): AppError {
  const options: AppErrorOptions = { audience: shape.audience };
  if (shape.hint !== undefined) options.hint = shape.hint;
  if (shape.detail !== undefined) options.detail = shape.detail;
  return new AppError(shape.code, shape.message, options);
}

/** The reply to every request on the wire. Electron's own error passing keeps only `message`, hence this. */
export type Envelope<T = unknown> = { ok: true; value: T } | { ok: false; error: ErrorShape };
export const EnvelopeSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: ErrorShape }),
]);
