import { z } from 'zod';
import { TerminalId, WorkspacePath } from '../model/ids';
import { domain, event, Nothing, request } from './define';

/** Columns and rows; the service clamps to at least 2 × 1. */
export const Cells = z
  .number()
  .transform((n) => (Number.isFinite(n) ? Math.min(1000, Math.max(0, Math.floor(n))) : 0));

export const TerminalInfo = z.object({
  id: TerminalId,
  title: z.string(),
  shell: z.string(),
  running: z.boolean(),
  exitCode: z.int().nullable(),
});
export type TerminalInfo = z.infer<typeof TerminalInfo>;

export const terminal = domain('terminal', {
  list: request({ input: Nothing, output: z.array(TerminalInfo) }),
  open: request({
    input: z.object({ cwd: WorkspacePath.default(''), cols: Cells, rows: Cells }),
    output: TerminalInfo,
  }),
  write: request({ input: z.object({ id: TerminalId, data: z.string().max(4_000_000) }), output: Nothing }),
  resize: request({ input: z.object({ id: TerminalId, cols: Cells, rows: Cells }), output: Nothing }),
  /** The renderer has drawn `chars` more characters: lets the PTY go on (flow control). */
  acknowledge: request({ input: z.object({ id: TerminalId, chars: z.int().min(0) }), output: Nothing }),
  restart: request({ input: z.object({ id: TerminalId }), output: TerminalInfo }),
  close: request({ input: z.object({ id: TerminalId }), output: Nothing }),
  /** First `replay` (recent output kept by the host), then `data` as it comes and one `exit`. */
  output: event({
    params: z.object({ id: TerminalId }),
    payload: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('replay'), data: z.string(), cols: z.int(), rows: z.int() }),
      z.object({ kind: z.literal('data'), data: z.string() }),
      z.object({ kind: z.literal('exit'), exitCode: z.int().nullable(), message: z.string() }),
    ]),
  }),
  changed: event({ params: Nothing, payload: z.array(TerminalInfo) }),
});
