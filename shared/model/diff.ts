import { z } from 'zod';
import { Sha256, WorkspacePath } from './ids';

/** One line of a hunk: unchanged, removed or added. `text` carries no line ending. */
export const DiffLine = z.object({
  kind: z.enum(['context', 'add', 'delete']),
  text: z.string(),
  /** 1-based line in the old text; absent on added lines. */
  oldLine: z.int().optional(),
  /** 1-based line in the new text; absent on removed lines. */
  newLine: z.int().optional(),
});
export type DiffLine = z.infer<typeof DiffLine>;

export const DiffHunk = z.object({
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  lines: z.array(DiffLine),
});
export type DiffHunk = z.infer<typeof DiffHunk>;

/** What one edit did to one file. `hunks` may be cut for huge changes; `truncated` then says so. */
export const FileDiff = z.object({
  path: WorkspacePath,
  /** Where the file was before, when the change moved it. */
  movedFrom: WorkspacePath.optional(),
  change: z.enum(['create', 'modify', 'delete', 'move']),
  additions: z.int(),
  deletions: z.int(),
  hunks: z.array(DiffHunk),
  /** Unified diff text, for copying. */
  unified: z.string(),
  truncated: z.boolean().default(false),
  /** Hash of the file before; null when it did not exist. */
  beforeHash: Sha256.nullable(),
  /** Hash of the file after; null when the change deleted it. */
  afterHash: Sha256.nullable(),
  /** How the text to replace was found, where that was not exactly: the names of matching strategies. */
  match: z.string().optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** Diffs with at most this many changed lines open by themselves (seed documents, U2). */
export const SMALL_DIFF_LINES = 8;
