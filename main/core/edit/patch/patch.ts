/** A line of a chunk. `line` counts from 1 in the patch as it was given. */
export interface ChunkLine {
  kind: 'context' | 'add' | 'delete';
  text: string;
  line: number;
}

export interface Chunk {
  /** Line of the patch where the chunk begins. */
  line: number;
  /** Lines to look for first, from the outermost in. */
  anchors: { text: string; line: number }[];
  lines: ChunkLine[];
  /** Pinned to the end of the file. */
  endOfFile: boolean;
}

/** One file of a patch; `line` is where its section begins. */
export type PatchSection =
  | { kind: 'add'; path: string; line: number; text: string }
  | { kind: 'delete'; path: string; line: number }
  | { kind: 'update'; path: string; line: number; moveTo: string | null; chunks: Chunk[] };
