/** Whether `ready` has been emitted: parts of the API are for before, parts for after. */
export const lifecycle = { isReady: false, isSandboxed: false };

export function requireReady(what: string): void {
  if (!lifecycle.isReady) throw new Error(`${what} cannot be used before app is ready`);
}
