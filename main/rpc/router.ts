import { z } from 'zod';
import type { CallContext, Domain, EventSpec, RequestSpec } from '../../shared/contract/define';
import { AppError, type Envelope, toErrorShape } from '../../shared/error';
import type { Schema } from '../../shared/schema';

/** Handlers by domain and name. Typed at the place where they are written; the router only calls them. */
export type AnyHandlers = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>;

type RequestHandler = (input: unknown, context: CallContext) => unknown;
type EventHandler = (
  params: unknown,
  send: (message: unknown) => Promise<void>,
  context: CallContext,
) => Promise<void> | void;

export interface RouterOptions {
  domains: Readonly<Record<string, Domain>>;
  handlers: AnyHandlers;
  /** Checks and strips what handlers return. On in development and tests; costs a pass over every answer. */
  checkOutput: boolean;
  /** Told of failures that are our own fault (code `internal`), with the channel they happened on. */
  onFailure: (channel: string, error: unknown) => void;
}

/** An opened stream: call it with a `send` and it runs until it ends or `context.signal` fires. */
export type StreamStart = (send: (message: unknown) => Promise<void>, context: CallContext) => Promise<void>;

export interface Router {
  /** Never rejects: every failure is an envelope. */
  dispatch(channel: string, input: unknown, context: CallContext): Promise<Envelope>;
  /** @throws AppError `bad_argument` for an unknown channel or params that don't parse */
  open(channel: string, params: unknown): StreamStart;
  /** What a client is told about anything thrown on a channel; reports it when it is our own fault. */
  failure(channel: string, error: unknown): Extract<Envelope, { ok: false }>['error'];
}

interface Route<S, H> {
  spec: S;
  handler: H;
}

interface Routes {
  requests: Map<string, Route<RequestSpec, RequestHandler>>;
  events: Map<string, Route<EventSpec, EventHandler>>;
}

/**
 * Calls handlers by channel name (`<domain>.<name>`): input parsed, handler called, output checked, errors mapped.
 *
 * @throws AppError `internal` when a channel of the contract has no handler
 */
export function createRouter(options: RouterOptions): Router {
  const { requests, events } = buildRoutes(options);
  const failure = (channel: string, error: unknown) => {
    const shape = toErrorShape(error);
    if (shape.code === 'internal') options.onFailure(channel, error);
    return shape;
  };
  const dispatch = async (channel: string, input: unknown, context: CallContext): Promise<Envelope> => {
    try {
      const { spec, handler } = found(requests.get(channel), channel);
      const result = await handler(parseInput(spec.input, input, channel), context);
      return { ok: true, value: options.checkOutput ? parseOutput(spec.output, result, channel) : result };
    } catch (error) {
      return { ok: false, error: failure(channel, error) };
    }
  };
  const open = (channel: string, params: unknown): StreamStart => {
    // A bad message is reported and left out: throwing would land in whatever published it.
    const validPayload = (spec: EventSpec, message: unknown): unknown => {
      try {
        return parseOutput(spec.payload, message, channel);
      } catch (error) {
        options.onFailure(channel, error);
        return undefined;
      }
    };
    const { spec, handler } = found(events.get(channel), channel);
    const parsed = parseInput(spec.params, params, channel);
    return async (send, context) => {
      const checked = (message: unknown): Promise<void> => {
        const valid = validPayload(spec, message);
        return valid === undefined ? Promise.resolve() : send(valid);
      };
      await handler(parsed, options.checkOutput ? checked : send, context);
    };
  };
  return { dispatch, open, failure };
}

function buildRoutes({ domains, handlers }: RouterOptions): Routes {
  const routes: Routes = { requests: new Map(), events: new Map() };
  for (const domain of Object.values(domains)) {
    for (const [name, spec] of Object.entries(domain.spec)) {
      const channel = `${domain.name}.${name}`;
      const handler = handlers[domain.name]?.[name];
      if (!handler) throw new AppError('internal', `No handler for ${channel}.`, { audience: 'log' });
      if (spec.kind === 'request') routes.requests.set(channel, { spec, handler: handler as RequestHandler });
      else routes.events.set(channel, { spec, handler: handler as EventHandler });
    }
  }
  return routes;
}

function found<T>(route: T | undefined, channel: string): T {
  if (route) return route;
  throw new AppError('bad_argument', `There is no channel named "${channel.slice(0, 100)}".`, {
    hint: 'Reload the window: it may be older than the host.',
  });
}

/** Says which field is wrong and why, but repeats no value: inputs carry keys and file text. */
function parseInput(schema: Schema, input: unknown, channel: string): unknown {
  const parsed = z.safeParse(schema, input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  throw new AppError('bad_argument', `${channel} was called with invalid input (${problems.join('; ')}).`, {
    detail: { channel },
  });
}

function parseOutput(schema: Schema, output: unknown, channel: string): unknown {
  const parsed = z.safeParse(schema, output);
  if (parsed.success) return parsed.data;
  throw new AppError('internal', `${channel} gave an answer that breaks its contract.`, {
    audience: 'log',
    cause: parsed.error,
    detail: { channel, problems: z.prettifyError(parsed.error) },
  });
}
