import { z } from 'zod';
import { Sha256, WorkspacePath } from '../model/ids';
import { domain, event, Nothing, request } from './define';

export const FileEntry = z.object({
  name: z.string(),
  path: WorkspacePath,
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** For links: what the target is; null when it is broken or outside the project. */
  target: z.enum(['file', 'folder']).nullable(),
  ignored: z.boolean(),
});
export type FileEntry = z.infer<typeof FileEntry>;

/** Larger files are shown plain and read-only (case-D07), and are not saved from the editor. */
export const LARGE_FILE_BYTES = 20 * 1024 * 1024;
/** A file with more lines is shown plain and read-only too: colouring, folding and wrapping cost time per line. */
export const LARGE_FILE_LINES = 300_000;

export const FileContent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    path: WorkspacePath,
    /** Where the file really is when `path` leads through a link: one file is edited in one place (case-D12). */
    realPath: WorkspacePath.optional(),
    /** LF line ends, no BOM. */
    text: z.string(),
    hash: Sha256,
    encoding: z.string(),
    bom: z.boolean(),
    eol: z.enum(['lf', 'crlf', 'mixed']),
    /** Over `LARGE_FILE_BYTES` or `LARGE_FILE_LINES`: shown plain and read-only. */
    large: z.boolean(),
    readOnly: z.boolean(),
    sizeBytes: z.int(),
    mtimeMs: z.number(),
  }),
  z.object({
    kind: z.literal('image'),
    path: WorkspacePath,
    mime: z.string(),
    base64: z.string(),
    sizeBytes: z.int(),
  }),
  z.object({ kind: z.literal('binary'), path: WorkspacePath, sizeBytes: z.int(), hexPreview: z.string() }),
  z.object({ kind: z.literal('too_large'), path: WorkspacePath, sizeBytes: z.int(), head: z.string() }),
  z.object({ kind: z.literal('undecodable'), path: WorkspacePath, sizeBytes: z.int(), reason: z.string() }),
]);
export type FileContent = z.infer<typeof FileContent>;

export const SaveResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), hash: Sha256, mtimeMs: z.number() }),
  /** The file on disk is not what the editor started from; nothing was written. */
  z.object({ kind: z.literal('conflict'), current: FileContent.nullable() }),
]);
export type SaveResult = z.infer<typeof SaveResult>;

/** Unsaved text kept across crashes and restarts (hot exit). */
export const Backup = z.object({
  path: WorkspacePath,
  baseHash: Sha256.nullable(),
  text: z.string(),
  cursorLine: z.int(),
  cursorColumn: z.int(),
  savedAt: z.int(),
});
export type Backup = z.infer<typeof Backup>;

export const files = domain('files', {
  list: request({ input: z.object({ path: WorkspacePath }), output: z.array(FileEntry) }),
  read: request({ input: z.object({ path: WorkspacePath }), output: FileContent }),
  /**
   * Saves editor text (LF) in the file's own encoding, BOM and line ends. `baseHash` is what the editor loaded, null for
   * a new file; a different hash on disk gives `conflict` unless `overwrite`.
   */
  save: request({
    input: z.object({
      path: WorkspacePath,
      text: z.string(),
      baseHash: Sha256.nullable(),
      overwrite: z.boolean().default(false),
      /** `utf-8`: what the file's own encoding can't hold is written by giving the encoding up; the user said so. */
      encoding: z.enum(['keep', 'utf-8']).default('keep'),
    }),
    output: SaveResult,
  }),
  create: request({
    input: z.object({ path: WorkspacePath, kind: z.enum(['file', 'folder']) }),
    output: Nothing,
  }),
  /** Rename or move; refuses to replace an existing target. */
  move: request({ input: z.object({ from: WorkspacePath, to: WorkspacePath }), output: Nothing }),
  /** Moves to the OS trash where the host has one, else deletes for good; `permanent` in the answer says which. */
  remove: request({ input: z.object({ path: WorkspacePath }), output: z.object({ permanent: z.boolean() }) }),
  /** Paths for quick open and @-mentions, best match first. */
  find: request({
    input: z.object({ query: z.string().max(200), limit: z.int().min(1).max(200).default(50) }),
    output: z.array(WorkspacePath),
  }),
  reveal: request({ input: z.object({ path: WorkspacePath }), output: Nothing }),
  backups: request({ input: Nothing, output: z.array(Backup) }),
  keepBackup: request({ input: Backup.omit({ savedAt: true }), output: Nothing }),
  dropBackup: request({ input: z.object({ path: WorkspacePath }), output: Nothing }),
  /** Batched (≤ every 50 ms). `paths` lists files and folders that were created, changed or removed. */
  changed: event({
    params: Nothing,
    payload: z.object({
      paths: z.array(z.object({ path: WorkspacePath, change: z.enum(['created', 'changed', 'removed']) })),
      /** True when events were lost (overflow): reload what is shown. */
      overflow: z.boolean(),
    }),
  }),
});
