/** Characters kept at least; up to twice as many are held before the front is dropped. */
const KEEP_CHARS = 250_000;

/** The newest output of a terminal, for windows that connect later. Starts at the beginning of a line where it can. */
export class OutputRing {
  #chunks: string[] = [];
  #chars = 0;

  add(text: string): void {
    this.#chunks.push(text);
    this.#chars += text.length;
    if (this.#chars > KEEP_CHARS * 2) this.#trim();
  }

  #trim(): void {
    const all = this.#chunks.join('');
    const from = all.length - KEEP_CHARS;
    const line = all.indexOf('\n', from);
    // A line that long is cut anywhere but inside a surrogate pair.
    const isPair = (all.charCodeAt(from) & 0xfc00) === 0xdc00;
    const start = line !== -1 && line - from < KEEP_CHARS / 10 ? line + 1 : from + (isPair ? 1 : 0);
    this.#chunks = [all.slice(start)];
    this.#chars = all.length - start;
  }

  text(): string {
    if (this.#chunks.length > 1) this.#chunks = [this.#chunks.join('')];
    return this.#chunks[0] ?? '';
  }

  clear(): void {
    this.#chunks = [];
    this.#chars = 0;
  }
}
