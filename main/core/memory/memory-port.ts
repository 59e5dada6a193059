/** Characters of one note. */
export const NOTE_CHARS = 1_000;

/** One thing that a search of the memory found. */
export interface MemoryHit {
  /** What `memory_get` takes: `MEMORY.md`, `note/12`, `session/<id>`. */
  path: string;
  /** Share of the words asked for that are in it, 0 to 1. */
  score: number;
  snippet: string;
}

/** The memory of the project that a session belongs to, as the tools see it. */
export interface MemoryPort {
  /**
   * Keeps a note for later sessions of the project. Keys and the like are hidden first.
   *
   * @returns the text as it was kept
   * @throws AppError `unsupported` when the memory is switched off, `disk_full`, `io_failed`
   */
  update(sessionId: string, note: string): Promise<string>;
  /** Notes and earlier sessions, best first. @throws AppError `unsupported` */
  search(sessionId: string, query: string, options: { maxResults: number; minScore: number }): MemoryHit[];
  /** @throws AppError `unsupported`, `not_found` */
  get(sessionId: string, path: string): string;
}
