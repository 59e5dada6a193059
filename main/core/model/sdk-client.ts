import { chatBytes } from './chat-bytes';
import type { LooseRecord } from './loose';

/** Where a request goes and what it says of itself. */
interface RequestHead {
  url: URL;
  headers: Record<string, string>;
}

/** The request as the SDK shaped it. */
export interface ShapedRequest extends RequestHead {
  body: Uint8Array;
}

/** Longer than any request: the clocks of this product decide, not the SDK's. */
const SDK_TIMEOUT_MS = 24 * 60 * 60_000;

const OWN_HEADERS = new Set(['accept', 'authorization', 'content-type', 'user-agent']);

/**
 * The `openai` SDK, used to shape requests only: its retries, timeouts, stream parser and logging stay out, and nothing is
 * taken from its environment variables. Loaded on first use (6 ms in the bundle). What it makes of address and headers is
 * the same for every request of a client, so it is asked once.
 */
export class SdkClient {
  private head: Promise<RequestHead> | undefined;

  constructor(private readonly options: { baseUrl: string; apiKey: string | null }) {}

  /** Loads the SDK ahead of the first request. */
  async warm(): Promise<void> {
    await this.shapedHead();
  }

  /** Sends `body` to `/chat/completions` through `send`. What that returns or throws is handed on as it is. */
  async post<T>(body: LooseRecord, send: (request: ShapedRequest) => Promise<T>): Promise<T> {
    const head = await this.shapedHead();
    return await send({ ...head, body: chatBytes(body) });
  }

  private shapedHead(): Promise<RequestHead> {
    if (this.head === undefined) {
      this.head = this.shape();
      // A failure to load is no reason to fail for good.
      this.head.catch(() => (this.head = undefined));
    }
    return this.head;
  }

  private async shape(): Promise<RequestHead> {
    const { OpenAI } = await import('openai');
    const { baseUrl, apiKey } = this.options;
    const client = new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: SDK_TIMEOUT_MS,
      logLevel: 'off',
      // Never asked: looking at the global one would load all of Node's undici.
      fetch: () => Promise.reject(new Error('The SDK sends nothing here.')),
      defaultHeaders: {
        Accept: 'text/event-stream, application/json',
        'User-Agent': 'Lathe',
        // Said here again because OPENAI_CUSTOM_HEADERS would outrank the SDK's own.
        Authorization: apiKey === null ? null : `Bearer ${apiKey}`,
      },
    });
    const { req, url } = await client.buildRequest({
      method: 'post',
      path: '/chat/completions',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    return { url: new URL(url), headers: ownHeaders(req.headers) };
  }
}

/** Only the headers that are ours go out: none from the environment, none that describe this machine. */
function ownHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => OWN_HEADERS.has(name)));
}
