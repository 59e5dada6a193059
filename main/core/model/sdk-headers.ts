/**
 * The part of `Headers` that the openai SDK needs to put a request together; the build gives it to the SDK in place of the
 * global one, for which Node loads the whole of its undici (20 ms before the first request). Names come in lower case.
 */
export class SdkHeaders {
  private readonly values = new Map<string, string>();

  append(name: string, value: string): void {
    const before = this.values.get(name);
    this.values.set(name, before === undefined ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.values.delete(name);
  }

  get(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.values.has(name.toLowerCase());
  }

  entries(): IterableIterator<[string, string]> {
    return this.values.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
