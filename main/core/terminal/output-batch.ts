/** How long output is gathered, in milliseconds: below what an eye sees, above what a message costs. */
const GATHER_MS = 8;
const FLUSH_CHARS = 65_536;

/** Gathers small pieces of output; the first piece after a pause goes out at once, so that typing echoes without delay. */
export class OutputBatch {
  readonly #send: (text: string) => void;
  #text = '';
  #timer: NodeJS.Timeout | null = null;
  #lastFlush = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  add(text: string): void {
    this.#text += text;
    const idle = this.#timer === null && performance.now() - this.#lastFlush > GATHER_MS;
    if (idle || this.#text.length >= FLUSH_CHARS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#lastFlush = performance.now();
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#send(text);
  }
}
