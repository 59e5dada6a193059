import type { ModelProvider, ModelReply, ModelRequest, ModelStreamEvent, ResolvedModel } from '../model/port';
import type { CallEnvironment, CallOutcome, ToolRunner } from '../tool/types';
import type { LoopDeps } from '../turn/turn-types';
import { LIVE_DEPS } from './record-deps';
import { requestParts } from './request-parts';
import { rebuildFailure, type TapePlayer } from './tape-player';
import type { TapeEntry } from './tape-entry';

const LIVE = new Set<string>(LIVE_DEPS);

type StreamEntry = Extract<TapeEntry, { k: 'ev' | 'reply' | 'fail' }>;

/** One replayed reply: pieces wait here until the turn pulls them. */
class ReplayedStream {
  private readonly pieces: StreamEntry[] = [];
  private wake: (() => void) | null = null;

  push(piece: StreamEntry): void {
    this.pieces.push(piece);
    this.wake?.();
  }

  async *play(): AsyncGenerator<ModelStreamEvent, ModelReply> {
    for (;;) {
      const next = this.pieces.shift();
      if (next?.k === 'fail') throw rebuildFailure(next.v);
      if (next?.k === 'reply') return next.v as ModelReply;
      if (next) yield next.v as ModelStreamEvent;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

interface RunningCall {
  environment: CallEnvironment;
  end(outcomes: CallOutcome[]): void;
}

/** The outside of one replayed turn: model replies, tool events and answers, all from the tape. */
export class ReplayedWorld {
  private readonly streams = new Map<number, ReplayedStream>();
  private readonly calls = new Map<string, RunningCall>();
  private readonly recordedParts = new Map<number, string[]>();
  private requests = 0;

  constructor(
    private readonly player: TapePlayer,
    private readonly onRequest: (n: number, recorded: readonly string[], made: readonly string[]) => void,
  ) {}

  /** What the `n`-th request consisted of when it was recorded. */
  expect(n: number, parts: string[]): void {
    this.recordedParts.set(n, parts);
  }

  piece(entry: StreamEntry): void {
    this.stream(entry.n).push(entry);
  }

  emit(entry: Extract<TapeEntry, { k: 'emit' }>): void {
    const call = this.calls.get(entry.c) ?? this.player.diverge(`call ${entry.c} was not run`);
    call.environment.emit(entry.v).catch(() => undefined);
  }

  finish(entry: Extract<TapeEntry, { k: 'out' }>): void {
    const call = this.calls.get(entry.c) ?? this.player.diverge(`call ${entry.c} was not run`);
    this.calls.delete(entry.c);
    call.end(entry.v as CallOutcome[]);
  }

  /** Dependencies that answer from the tape; `live` is what a turn holds by itself. */
  deps(live: LoopDeps): LoopDeps {
    const provide = this.answering('');
    const members: Record<string, unknown> = {
      resolveModel: async () => this.model((await this.player.ask('resolveModel')) as ResolvedModel),
      resolveSecondModel: async () => {
        const found = (await this.player.ask('resolveSecondModel')) as ResolvedModel | null;
        return found && this.model(found);
      },
      runner: new Proxy(this.answering('runner'), {
        get: (target, key): unknown => {
          if (key === 'runTogether') return this.runTogether;
          return key === 'run' ? this.run : Reflect.get(target, key);
        },
      }),
    };
    return new Proxy(live, {
      get: (target, key): unknown => {
        if (typeof key === 'symbol' || LIVE.has(key)) return Reflect.get(target, key) as unknown;
        return key in members ? members[key] : Reflect.get(provide, key);
      },
    });
  }

  private readonly runTogether: ToolRunner['runTogether'] = (calls) =>
    new Promise((end) => {
      for (const { call, environment } of calls) this.calls.set(call.id, { environment, end });
    });

  private readonly run: ToolRunner['run'] = async (call, environment) => {
    const [outcome] = await this.runTogether([{ call, environment }]);
    return outcome ?? this.player.diverge(`call ${call.id} has no outcome`);
  };

  /** Something at `path` that can be called, or asked for its members, as the recorded dependency could. */
  private answering(path: string): object {
    const call = (): unknown => this.player.ask(path);
    return new Proxy(call, {
      get: (target, key): unknown => {
        if (typeof key === 'symbol' || key === 'then') return undefined;
        if (key === 'bind') return () => call;
        return this.answering(path === '' ? key : `${path}.${key}`);
      },
      apply: () => call(),
    });
  }

  private model(found: ResolvedModel): ResolvedModel {
    const provider: ModelProvider = {
      ...found.provider,
      stream: (request: ModelRequest) => {
        this.requests += 1;
        const n = this.requests;
        const made = requestParts(request);
        const recorded = this.recordedParts.get(n) ?? this.player.diverge('it asks the model once more');
        this.onRequest(n, recorded, made);
        return this.stream(n).play();
      },
    };
    return { ...found, provider };
  }

  private stream(n: number): ReplayedStream {
    let found = this.streams.get(n);
    if (!found) {
      found = new ReplayedStream();
      this.streams.set(n, found);
    }
    return found;
  }
}
