/**
 * Characters per write. A terminal's input takes a few kilobytes at once; small pieces, each waiting for the one before, let
 * a program read at its own pace (case-X01).
 */
const PIECE_CHARS = 1024;
export const INTERRUPT = '\u0003';

/** A piece that does not cut a surrogate pair in two. */
function pieceEnd(text: string, from: number): number {
  const end = Math.min(text.length, from + PIECE_CHARS);
  const isHigh = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}

/** Keeps input in order and in pieces. */
export class WriteQueue {
  readonly #write: (piece: string, done: () => void) => void;
  #waiting: string[] = [];
  #offset = 0;
  #chars = 0;
  #busy = false;
  #taken = 0;

  /** @param write hands one piece on and calls `done` when there is room for the next */
  constructor(write: (piece: string, done: () => void) => void) {
    this.#write = write;
  }

  get waitingChars(): number {
    return this.#chars;
  }

  /** How many pieces the terminal has taken so far. */
  get takenPieces(): number {
    return this.#taken;
  }

  /** True while a piece waits to be taken. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Ctrl-C does not wait behind a long paste: what has not been typed yet is dropped. */
  add(text: string): void {
    if (text === INTERRUPT) this.clear();
    this.#waiting.push(text);
    this.#chars += text.length;
    if (!this.#busy) this.#next();
  }

  #next(): void {
    const [text] = this.#waiting;
    this.#busy = text !== undefined;
    if (text === undefined) return;
    const end = pieceEnd(text, this.#offset);
    const piece = text.slice(this.#offset, end);
    this.#chars -= piece.length;
    this.#offset = end;
    if (end === text.length) {
      this.#waiting.shift();
      this.#offset = 0;
    }
    this.#write(piece, () => {
      this.#taken += 1;
      this.#next();
    });
  }

  clear(): void {
    this.#waiting = [];
    this.#offset = 0;
    this.#chars = 0;
  }
}
