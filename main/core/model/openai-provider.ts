import { callIdsIn, chatBody, estimateTokens, withoutOldImages, type Dialect } from './chat-request';
import { decodeChatReply } from './chat-decoder';
import { adaptDialect, dialectOf, rememberDialect } from './dialect';
import { faultError, type Endpoint } from './errors';
import { sendHttp, warmHttp, type ProxyEnv } from './http-client';
import { isLoopbackHost } from './http-proxy';
import { chunksOf, readText, releaseBody, settleBody, type HttpReply } from './http-reply';
import { textOf } from './loose';
import { cancelledError, ModelError } from './model-error';
import { networkError } from './network-error';
import { fittingOutput } from './output-limit';
import type { ModelProvider, ModelReply, ModelRequest, ModelStreamEvent } from './port';
import { readFaultBody } from './provider-fault';
import { serverWaitMs } from './retry-after';
import { cutText } from './schema-keywords';
import { learnRefusedTools, offeredTools, type OfferedTool } from './schema-offer';
import { SentImages } from './sent-images';
import { SdkClient, type ShapedRequest } from './sdk-client';
import type { SleepClocks, SleepLimits } from './sleep-watch';
import { DEFAULT_LIMITS, LOCAL_LIMITS, StreamClocks, type StreamLimits } from './stream-clocks';
import { knownChoice, learnRefusedChoice } from './tool-choice';

export interface OpenAiProviderOptions {
  id: string;
  /** Name shown to the user. */
  name: string;
  /** Without a trailing slash; `/chat/completions` is appended. */
  baseUrl: string;
  apiKey: string | null;
  dialect: Dialect;
  limits?: Partial<StreamLimits>;
  /** How a sleep of the machine is noticed; the system's clocks by default. */
  sleep?: { limits?: SleepLimits; clocks?: SleepClocks };
  /** Context size of a model in tokens, where it is known: an empty reply to a nearly full prompt is an overflow. */
  windowOf?: (model: string) => number | null;
  /** Told when a model refused images altogether. */
  onBlind?: (model: string) => void;
  /** Where proxies are named; the process environment by default. */
  env?: ProxyEnv;
}

/** How often one request is sent again because the server refused an optional field. */
const MAX_ADAPTIONS = 4;
/** Share of the context window from which an empty reply is taken for an overflow. */
const NEARLY_FULL = 0.8;
/** Most of an error body that is read. */
const ERROR_BODY_BYTES = 64 * 1024;

/** The request with these tools; one that is left out can't be what the model must call. */
function offering(request: ModelRequest, offered: readonly OfferedTool[]): ModelRequest {
  const { toolChoice } = request;
  const tools = offered.map(({ sent }) => sent);
  const isLeftOut =
    typeof toolChoice !== 'string' &&
    tools.length < request.tools.length &&
    !tools.some(({ name }) => name === toolChoice.name);
  return { ...request, tools, toolChoice: isLeftOut ? 'auto' : toolChoice };
}

/** Speaks chat completions with any compatible server. One try per `stream`; see withRetries for the rest. */
export class OpenAiProvider implements ModelProvider {
  readonly scripted = false;
  readonly id: string;
  readonly name: string;
  private readonly sdk: SdkClient;
  private readonly host: string;
  readonly local: boolean;
  private readonly limits: StreamLimits;
  private readonly images: SentImages;
  /** The connection of the last answer is free again, or will not be soon. */
  private settled: Promise<void> = Promise.resolve();

  constructor(private readonly options: OpenAiProviderOptions) {
    this.id = options.id;
    this.name = options.name;
    const url = new URL(options.baseUrl);
    this.host = url.host;
    this.local = isLoopbackHost(url.hostname);
    this.limits = { ...(this.local ? LOCAL_LIMITS : DEFAULT_LIMITS), ...options.limits };
    this.images = new SentImages(options.name, (model) => options.onBlind?.(model));
    this.sdk = new SdkClient({ baseUrl: options.baseUrl, apiKey: options.apiKey });
  }

  /** Loads what the first request needs, so that it can happen while the prompt is still being put together. */
  async warm(): Promise<void> {
    await Promise.all([this.sdk.warm(), warmHttp(new URL(this.options.baseUrl))]);
  }

  async *stream(
    asked: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelStreamEvent, ModelReply> {
    if (signal.aborted) throw cancelledError();
    let request = this.images.fitting(asked);
    // A session that begins without a tool says so, as the one in which it was refused did.
    if (!request.messages.some(({ role }) => role === 'assistant')) yield* this.missingNotices(request);
    for (;;) {
      const offered = offeredTools(this.options.baseUrl, request.model, request.tools);
      const fitting = offering(request, offered);
      try {
        const reply = yield* this.attempt(fitting, signal);
        this.images.answered(fitting);
        return reply;
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelError) || error.partial !== null) throw error;
        // Said inside a successful response; a plain refusal is dealt with where the request is sent.
        if (learnRefusedChoice(this.options.baseUrl, request.model, this.choiceFor(fitting), error.message))
          continue;
        const fewer = this.images.without(request, error);
        if (fewer !== null) {
          request = fewer.request;
          yield* fewer.notices;
          continue;
        }
        const leftOut = this.learnTools(error, request.model, offered);
        if (leftOut === null) throw error;
        yield* leftOut.map((name) => this.leftOutNotice(name, request.model, error));
      }
    }
  }

  /** One tool that a server does not take must not cost the turn (fault-F109): null when the refusal names none. */
  private learnTools(error: ModelError, model: string, offered: readonly OfferedTool[]): string[] | null {
    if (error.code !== 'provider_invalid_request') return null;
    return learnRefusedTools(this.options.baseUrl, model, offered, error.refusalBody ?? error.message);
  }

  private missingNotices({ model, tools }: ModelRequest): ModelStreamEvent[] {
    const offered = new Set(offeredTools(this.options.baseUrl, model, tools).map(({ spec }) => spec));
    const missing = tools.filter((spec) => !offered.has(spec));
    return missing.map(({ name }) => this.leftOutNotice(name, model, null));
  }

  private leftOutNotice(tool: string, model: string, refusal: ModelError | null): ModelStreamEvent {
    const said = textOf(refusal?.detail?.['providerMessage']);
    const why = said === '' ? '' : ` It said: ${cutText(said, 300)}`;
    return {
      type: 'notice',
      kind: 'tool_left_out',
      text: `${this.name} does not take the tool ${tool} for ${model}, so it is left out. All others work.${why}`,
    };
  }

  /** The tool choice as far as this model takes it. */
  private choiceFor({ model, toolChoice }: ModelRequest): ModelRequest['toolChoice'] {
    return knownChoice(this.options.baseUrl, model, toolChoice);
  }

  private async *attempt(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelStreamEvent, ModelReply> {
    const endpoint = this.endpointFor(request.model);
    let reply: HttpReply | null = null;
    const clocks = new StreamClocks(this.limits, endpoint, (error) => expire(error), this.options.sleep);
    const late = Promise.withResolvers<never>();
    const expire = (error: ModelError): void => {
      if (reply === null) late.reject(error);
      else reply.body.destroy(error);
    };
    late.promise.catch(() => undefined);
    const inner = new AbortController();
    const stop = (): void => inner.abort();
    signal.addEventListener('abort', stop, { once: true });
    try {
      reply = await Promise.race([this.openSmaller(request, endpoint, inner.signal), late.promise]);
      const decoded = yield* decodeChatReply(chunksOf(reply.body, clocks.alive), {
        endpoint,
        providerId: this.id,
        takenIds: callIdsIn(request.messages),
        signal,
        onData: clocks.progress,
      });
      this.settled = settleBody(reply.body);
      return decoded;
    } catch (error) {
      inner.abort();
      if (signal.aborted && !(error instanceof ModelError)) throw cancelledError();
      throw this.overflowed(error, request) ?? error;
    } finally {
      clocks.stop();
      signal.removeEventListener('abort', stop);
      if (reply !== null) releaseBody(reply.body);
    }
  }

  /** Some servers answer a prompt that does not fit with nothing at all (fault-F12). */
  private overflowed(error: unknown, request: ModelRequest): ModelError | null {
    if (!(error instanceof ModelError) || error.code !== 'provider_empty' || error.partial !== null)
      return null;
    const window = this.options.windowOf?.(request.model) ?? null;
    if (window === null || estimateTokens(request) <= NEARLY_FULL * window) return null;
    return new ModelError(
      'provider_context',
      `${this.name} sent nothing; the conversation is probably too long for ${request.model}.`,
      {
        hint: 'Shorten the conversation (/compact), start a new session or choose a model with a larger context.',
        detail: { host: this.host, model: request.model },
      },
    );
  }

  private endpointFor(model: string): Endpoint {
    const { name, apiKey } = this.options;
    return { name, host: this.host, local: this.local, model, secrets: apiKey === null ? [] : [apiKey] };
  }

  /** As {@link open}; a request that has too many bytes is sent once more without its older images. */
  private async openSmaller(
    request: ModelRequest,
    endpoint: Endpoint,
    signal: AbortSignal,
  ): Promise<HttpReply> {
    try {
      return await this.open(request, endpoint, signal);
    } catch (error) {
      const smaller =
        error instanceof ModelError && error.code === 'provider_too_large' ? withoutOldImages(request) : null;
      if (smaller === null) throw error;
      return await this.open(smaller, endpoint, signal);
    }
  }

  /** Sends the request and resolves with a successful response, leaving out what the server refuses to know. */
  private async open(request: ModelRequest, endpoint: Endpoint, signal: AbortSignal): Promise<HttpReply> {
    const { baseUrl } = this.options;
    let dialect = dialectOf(baseUrl, this.options.dialect);
    let limit = request.maxOutputTokens ?? null;
    for (let adaptions = 0; ; adaptions += 1) {
      const toolChoice = this.choiceFor(request);
      const body = chatBody(
        { ...request, toolChoice, ...(limit === null ? {} : { maxOutputTokens: limit }) },
        dialect,
        this.id,
      );
      const reply = await this.sdk.post(body, (shaped) => this.send(shaped, endpoint, signal));
      if (reply.status >= 200 && reply.status < 300) return reply;
      const text = await readText(reply.body, ERROR_BODY_BYTES);
      const mayAdapt = adaptions < MAX_ADAPTIONS && reply.status < 500;
      if (mayAdapt && learnRefusedChoice(baseUrl, request.model, toolChoice, text)) continue;
      const shorter = mayAdapt ? fittingOutput(text, limit) : null;
      const adapted = mayAdapt ? adaptDialect(text, body, dialect) : null;
      if (shorter !== null) limit = shorter;
      else if (adapted === null) throw this.refusal(reply, text, endpoint);
      else {
        dialect = adapted;
        rememberDialect(baseUrl, dialect);
      }
    }
  }

  private async send(shaped: ShapedRequest, endpoint: Endpoint, signal: AbortSignal): Promise<HttpReply> {
    const { connectMs } = this.limits;
    await this.settled;
    try {
      return await sendHttp(
        { ...shaped, method: 'POST', signal, connectMs: connectMs > 0 ? connectMs : 2 ** 31 - 1 },
        this.options.env,
      );
    } catch (error) {
      throw signal.aborted ? cancelledError() : networkError(error, endpoint, connectMs);
    }
  }

  private refusal(reply: HttpReply, text: string, endpoint: Endpoint): ModelError {
    const { status } = reply;
    if (status >= 300 && status < 400) {
      return new ModelError('provider_protocol', `${endpoint.host} sends requests elsewhere (${status}).`, {
        detail: { host: endpoint.host, status },
        hint: 'Put the address it names into the provider settings; keys are not sent along redirects.',
      });
    }
    const waitMs = serverWaitMs((name) => reply.header(name), status, Date.now());
    return faultError(readFaultBody(status, text), endpoint, waitMs, { refusalBody: text });
  }
}
