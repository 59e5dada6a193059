import type { LocalServer } from './presets';
import { askLocalServer, type LocalFacts } from './probe';

/** How long what a local server said of a model is believed. */
const BELIEVED_MS = 60_000;

/** What local servers say of their models, asked at most once a minute. */
export class LocalModelFacts {
  private readonly known = new Map<string, LocalFacts & { at: number }>();

  async of(server: LocalServer, baseUrl: string, model: string): Promise<LocalFacts> {
    const key = `${baseUrl} ${model}`;
    const known = this.known.get(key);
    if (known !== undefined && performance.now() - known.at < BELIEVED_MS) return known;
    const facts = await askLocalServer(server, baseUrl, model);
    this.known.set(key, { ...facts, at: performance.now() });
    return facts;
  }
}
