/** A path that was checked against the project folder with symbolic links resolved. */
export interface ResolvedPath {
  /** Relative to the project root, `/`-separated, as a person would write it. */
  relative: string;
  /** Absolute real path (links resolved as far as the path exists). */
  absolute: string;
  /** Real path relative to the root: differs from `relative` when a link is in between. Rules match both. */
  realRelative: string;
  exists: boolean;
}

export interface FileBytes {
  bytes: Buffer;
  hash: string;
  mode: number;
  mtimeMs: number;
  sizeBytes: number;
}

/** Files of one project behind the path jail (P4). All paths in are workspace-relative or absolute inside the root. */
export interface WorkspaceFiles {
  /** Absolute real path of the project folder. */
  readonly root: string;
  /**
   * @throws AppError `outside_workspace`, `symlink_escape`, `path_unresolved` – fails closed, never falls back to the raw path
   */
  resolve(path: string): Promise<ResolvedPath>;
  /** @throws AppError `not_found`, `file_too_large` (over `maxBytes`), `bad_argument` for folders, FIFOs and devices */
  readBytes(path: string, options?: { maxBytes?: number; signal?: AbortSignal }): Promise<FileBytes>;
  /**
   * Atomic: temp file in the same folder, fsync, rename; keeps the mode; re-checks the parent's real path right before the
   * rename. `expectedHash`: null = must not exist, string = must have these bytes, undefined = don't care. `passed`:
   * contents between the old and the new one, in order, for whoever keeps what a write replaces. `after`: nothing is
   * replaced before this resolves, and nothing at all when it rejects. `onBegun`: called once the disk is at work on the
   * new bytes (perhaps more than once). `onStaged`: called once the new bytes are on the
   * disk and only the replacing is left. `evenReadOnly`: a file without write permission is replaced too.
   * `leavesFolder`: the caller syncs the folder. `namesLater`: the folder is synced in the background; `named` of the result
   * settles when that is done.
   *
   * @throws AppError `stale`, `disk_full`, `io_failed`, and those of `resolve`
   */
  writeBytes(
    path: string,
    bytes: Buffer,
    options?: {
      expectedHash?: string | null;
      mode?: number;
      passed?: readonly Buffer[];
      after?: Promise<unknown>;
      onBegun?: () => void;
      onStaged?: () => void;
      evenReadOnly?: boolean;
      leavesFolder?: boolean;
      namesLater?: boolean;
    },
  ): Promise<{ hash: string; mtimeMs: number; named: Promise<void> }>;
  /**
   * Removes a regular file whose bytes have this hash.
   *
   * @throws AppError `not_found`, `stale`, `io_failed`, and those of `resolve`
   */
  removeFile(
    path: string,
    options: { expectedHash: string; evenReadOnly?: boolean; leavesFolder?: boolean },
  ): Promise<void>;
  hashOf(path: string): Promise<string | null>;
  /**
   * Streams a file that is too large to hold; `onChunk` returning false ends the reading.
   *
   * @throws AppError `not_found`, `bad_argument` for anything but a regular file, `cancelled`, and those of `resolve`
   */
  scan(
    path: string,
    onChunk: (chunk: Buffer) => boolean,
    options?: { signal?: AbortSignal },
  ): Promise<{ sizeBytes: number }>;
  /**
   * Entries of a folder in code-unit order of their names. Links are reported as links and not followed.
   *
   * @throws AppError `not_found`, `bad_argument` when it is no folder, and those of `resolve`
   */
  list(path: string): Promise<FolderEntry[]>;
}

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}
