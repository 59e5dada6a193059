import { toErrorShape } from '../../../shared/error';
import { ModelError } from '../model/model-error';
import type {
  ModelProvider,
  ModelReply,
  ModelRequest,
  ModelStreamEvent,
  ReplyCall,
  ResolvedModel,
} from '../model/port';
import type { CallEnvironment, ToolRunner } from '../tool/types';
import type { LoopDeps } from '../turn/turn-types';
import { requestParts, sharedParts } from './request-parts';
import type { RecordedFailure, TapeWriter } from './tape-entry';

/** Parts of {@link LoopDeps} that a replay has too: they hold what the turn itself made. */
export const LIVE_DEPS = ['signal', 'history', 'compaction'] as const;
const LIVE = new Set<string>(LIVE_DEPS);

type Call = (...args: unknown[]) => unknown;

function failureOf(error: unknown): RecordedFailure {
  const failure: RecordedFailure = { error: toErrorShape(error) };
  if (error instanceof Error && error.name === 'AbortError') failure.aborted = true;
  if (error instanceof ModelError) {
    failure.partial = error.partial;
    if (error.learnedContextWindow !== undefined) failure.learnedContextWindow = error.learnedContextWindow;
  }
  return failure;
}

async function* recordStream(
  stream: AsyncGenerator<ModelStreamEvent, ModelReply>,
  n: number,
  tape: TapeWriter,
): AsyncGenerator<ModelStreamEvent, ModelReply> {
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done) {
        tape.note({ k: 'reply', n, v: next.value });
        return next.value;
      }
      tape.note({ k: 'ev', n, v: next.value });
      yield next.value;
    }
  } catch (error) {
    tape.note({ k: 'fail', n, v: failureOf(error) });
    throw error;
  }
}

/** What of a model is written down: nothing of its connection or its key. */
const shownModel = ({ provider, ...rest }: ResolvedModel) => ({
  ...rest,
  provider: { id: provider.id, name: provider.name, scripted: provider.scripted },
});

/** Notes every answer that a turn gets from what it depends on. */
class Recorder {
  private requests = 0;
  private lastParts: string[] = [];
  private readonly calls = new Map<string, number>();
  private readonly providers = new WeakMap<ModelProvider, ModelProvider>();

  constructor(private readonly tape: TapeWriter) {}

  wrap<T extends object>(target: T, path: string, replaced: Partial<Record<keyof T, unknown>>): T {
    const made = new Map<PropertyKey, unknown>();
    return new Proxy(target, {
      get: (object, key) => {
        if (typeof key === 'symbol') return Reflect.get(object, key) as unknown;
        if (made.has(key)) return made.get(key);
        const value = key in replaced ? replaced[key as keyof T] : this.member(object, path, key);
        if (typeof value === 'object' || typeof value === 'function') made.set(key, value);
        return value;
      },
    });
  }

  private member(object: object, path: string, key: string): unknown {
    const value: unknown = Reflect.get(object, key);
    if (path === '' && LIVE.has(key)) return value;
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'function') return this.answering(name, value.bind(object) as Call);
    if (typeof value === 'object' && value !== null) return this.wrap(value, name, {});
    this.tape.note({ k: 'val', f: name, v: value });
    return value;
  }

  private answering(path: string, call: Call): Call {
    return (...args) => {
      const answer = call(...args);
      if (!(answer instanceof Promise)) {
        this.tape.note({ k: 'val', f: path, v: this.tape.value(answer) });
        return answer;
      }
      return this.promised(path, answer, (value: unknown) => value);
    };
  }

  /** The answer of the `i`-th call of `path`; `shown` is what of it is written down. */
  private promised<T>(path: string, answer: Promise<T>, shown: (value: T) => unknown): Promise<T> {
    const i = this.calls.get(path) ?? 0;
    this.calls.set(path, i + 1);
    return answer.then(
      (value) => {
        this.tape.note({ k: 'res', f: path, i, v: this.tape.value(shown(value)) });
        return value;
      },
      (error: unknown) => {
        this.tape.note({ k: 'err', f: path, i, v: failureOf(error) });
        throw error;
      },
    );
  }

  model(resolve: LoopDeps['resolveModel']): LoopDeps['resolveModel'] {
    return async (wish) => {
      const found = await this.promised('resolveModel', resolve(wish), shownModel);
      return { ...found, provider: this.provider(found.provider) };
    };
  }

  secondModel(resolve: LoopDeps['resolveSecondModel']): LoopDeps['resolveSecondModel'] {
    return async () => {
      const shown = (found: ResolvedModel | null) => found && shownModel(found);
      const found = await this.promised('resolveSecondModel', resolve(), shown);
      return found && { ...found, provider: this.provider(found.provider) };
    };
  }

  private provider(provider: ModelProvider): ModelProvider {
    const known = this.providers.get(provider);
    if (known) return known;
    const { id, name, scripted } = provider;
    const recorded: ModelProvider = {
      ...{ id, name, scripted },
      stream: (request: ModelRequest, options) => {
        this.requests += 1;
        const parts = requestParts(request);
        const same = sharedParts(this.lastParts, parts);
        this.lastParts = parts;
        this.tape.note({ k: 'req', n: this.requests, same, parts: parts.slice(same) });
        return recordStream(provider.stream(request, options), this.requests, this.tape);
      },
    };
    this.providers.set(provider, recorded);
    return recorded;
  }

  runner(deps: LoopDeps): ToolRunner {
    const { runner } = deps;
    const listened = (call: ReplyCall, environment: CallEnvironment): CallEnvironment => ({
      ...environment,
      // What a tool looks at is not asked again on replay: only what it said counts.
      ...{ ledger: deps.ledger, todos: deps.todos, plans: deps.plans },
      emit: (payload) => {
        this.tape.note({ k: 'emit', c: call.id, v: payload });
        return environment.emit(payload);
      },
    });
    const runTogether: ToolRunner['runTogether'] = async (calls) => {
      const outcomes = await runner.runTogether(
        calls.map(({ call, environment }) => ({ call, environment: listened(call, environment) })),
      );
      this.tape.note({ k: 'out', c: calls[0]?.call.id ?? '', v: outcomes });
      return outcomes;
    };
    const run: ToolRunner['run'] = async (call, environment) => {
      const outcome = await runner.run(call, listened(call, environment));
      this.tape.note({ k: 'out', c: call.id, v: [outcome] });
      return outcome;
    };
    return this.wrap(runner, 'runner', { run, runTogether });
  }
}

/** The same dependencies, with every answer they give noted on the tape in the order in which it came. */
export function recordDeps(deps: LoopDeps, tape: TapeWriter): LoopDeps {
  const recorder = new Recorder(tape);
  return recorder.wrap(deps, '', {
    resolveModel: recorder.model((wish) => deps.resolveModel(wish)),
    resolveSecondModel: recorder.secondModel(() => deps.resolveSecondModel()),
    runner: recorder.runner(deps),
  });
}
