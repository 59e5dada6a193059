import type { OpenAI } from 'openai';
import type { LooseRecord } from './loose';

/** The request as the SDK shaped it. */
export interface ShapedRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/** Longer than any request: the clocks of this product decide, not the SDK's. */
const SDK_TIMEOUT_MS = 24 * 60 * 60_000;

const OWN_HEADERS = new Set(['accept', 'authorization', 'content-type', 'user-agent']);

/**
 * The `openai` SDK, used to shape and send the request only: its retries, timeouts, stream parser and logging stay
 * out, and nothing is taken from its environment variables. Loaded on first use (6 ms in the bundle).
 */
export class SdkClient {
  private client: Promise<OpenAI> | undefined;

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
    const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
      outcome.resolve(send(shape(String(input), init)));
      return Promise.resolve(new Response(null));
    };
    // The SDK's own failures (a body that is no JSON …) come out of this promise.
    await client.withOptions({ fetch }).post('/chat/completions', { body, signal }).asResponse();
    return outcome.promise;
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
function shape(url: string, init: RequestInit | undefined): ShapedRequest {
  const entries = [...new Headers(init?.headers).entries()].filter(([name]) => OWN_HEADERS.has(name));
  const body = typeof init?.body === 'string' ? init.body : '';
  return { url: new URL(url), headers: Object.fromEntries(entries), body };
}
