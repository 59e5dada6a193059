import type { OpenAI } from 'openai';
import { AppError } from '../../../shared/error';
import { chatBytes } from './chat-bytes';
import type { LooseRecord } from './loose';

/** The request as the SDK shaped it. */
export interface ShapedRequest {
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Longer than any request: the clocks of this product decide, not the SDK's. */
const SDK_TIMEOUT_MS = 24 * 60 * 60_000;

const JSON_BODY = { 'Content-Type': 'application/json' };
const OWN_HEADERS = new Set(['accept', 'authorization', 'content-type', 'user-agent']);

/**
 * The `openai` SDK, used to shape and send the request only: its retries, timeouts, stream parser and logging stay
 * out, and nothing is taken from its environment variables. Loaded on first use (6 ms in the bundle).
 */
export class SdkClient {
  private client: Promise<OpenAI> | undefined;
  /** What takes a request on its way, by the body it has. */
  private readonly waiting = new WeakMap<object, (shaped: ShapedRequest) => void>();

  constructor(private readonly options: { baseUrl: string; apiKey: string | null }) {}

  /** Loads the SDK ahead of the first request. */
  warm(): Promise<OpenAI> {
    this.client ??= this.create();
    return this.client;
  }

  /**
   * Posts `body` to `/chat/completions` through `send`. The response's bytes never pass through the SDK: what `send`
   * returns is handed on as it is, and so is what it throws.
   */
  async post<T>(
    body: LooseRecord,
    signal: AbortSignal,
    send: (request: ShapedRequest) => Promise<T>,
  ): Promise<T> {
    const client = await this.warm();
    const outcome = Promise.withResolvers<T>();
    // It may fail before it is awaited below.
    outcome.promise.catch(() => undefined);
    const bytes = chatBytes(body);
    this.waiting.set(bytes, (shaped) => outcome.resolve(send(shaped)));
    // The SDK's own failures come out of this promise.
    await client.post('/chat/completions', { body: bytes, headers: JSON_BODY, signal }).asResponse();
    return outcome.promise;
  }

  /** Stands in for the network: hands the shaped request to whoever made its body. */
  private take(url: string, init: RequestInit | undefined): Response {
    const body = init?.body;
    const receive = body instanceof Uint8Array ? this.waiting.get(body) : undefined;
    if (receive === undefined || !(body instanceof Uint8Array))
      throw new AppError('internal', 'The SDK sent a request of its own.');
    receive({ url: new URL(url), headers: ownHeaders(init), body });
    return new Response(null);
  }

  private async create(): Promise<OpenAI> {
    const { OpenAI } = await import('openai');
    const { baseUrl, apiKey } = this.options;
    return new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: SDK_TIMEOUT_MS,
      logLevel: 'off',
      fetch: (url: unknown, init?: RequestInit) => Promise.resolve().then(() => this.take(String(url), init)),
      defaultHeaders: {
        Accept: 'text/event-stream, application/json',
        'User-Agent': 'Lathe',
        // Said here again because OPENAI_CUSTOM_HEADERS would outrank the SDK's own.
        Authorization: apiKey === null ? null : `Bearer ${apiKey}`,
      },
    });
  }
}

/** Only the headers that are ours go out: none from the environment, none that describe this machine. */
function ownHeaders(init: RequestInit | undefined): Record<string, string> {
  return Object.fromEntries(
    [...new Headers(init?.headers).entries()].filter(([name]) => OWN_HEADERS.has(name)),
  );
}
