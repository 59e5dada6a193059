import { randomUUID } from 'node:crypto';

/** The mark of one command's process tree, "LATHE_CALL=<call id>.<random>": call ids alone repeat. */
export function callMark(callId: string): string {
  return `LATHE_CALL=${callId.replaceAll(/[^\w.-]/g, '_')}.${randomUUID()}`;
}

/** Variables for the environment of a command: its mark and that of the run, by which the next start finds it. */
export function marksOf(mark: string, runId: string | undefined): Record<string, string> {
  const [name = '', value = ''] = mark.split('=');
  return { [name]: value, ...(runId === undefined ? {} : { LATHE_RUN: runId }) };
}
