import type { Client } from '../../../shared/contract/contract';
import { AppError } from '../../../shared/error';

export type OpenOutcome = 'opened' | 'cancelled' | 'unsupported';

/** Lets the user pick a folder in the host's own dialog and opens it; `unsupported` where the host has none. */
export async function openFolder(client: Pick<Client, 'project'>): Promise<OpenOutcome> {
  let picked: { path: string } | null;
  try {
    picked = await client.project.pickFolder(null);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unsupported') return 'unsupported';
    throw error;
  }
  if (!picked) return 'cancelled';
  await client.project.open({ path: picked.path });
  return 'opened';
}
