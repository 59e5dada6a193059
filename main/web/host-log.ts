/** The part of a logger that the host needs. */
export interface HostLog {
  error(message: string, facts?: Record<string, unknown>): void;
}
