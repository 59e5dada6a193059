import { AppError } from '../../../shared/error';
import type { ModelPrice } from '../../../shared/model/budget';
import { estimateCharTokens, estimateRequestTokens } from '../context/tokens';
import type { ModelProvider, ModelReply, ModelRequest, ModelStreamEvent, Usage } from '../model/port';
import { NOTHING, plus, type Amount, type Hold, type SpendingLedger, type Wish } from './ledger';
import { costMicros } from './price-of';

/** Tokens of an answer: the least that is of use, and what is reserved when the request sets no limit itself. */
const OUTPUT = {
  step: { least: 1_000, most: 16_384 },
  lastWords: { least: 150, most: 1_000 },
  aside: { least: 100, most: 4_096 },
} as const;
/** A provider may count this much more of a request than we do, or a little more than it did so far. */
const INPUT_MARGIN = 1.25;
const SEEN_MARGIN = 1.1;

export interface Metering {
  sessionId: string;
  ledger: SpendingLedger;
  /** Null when no price is known for `provider/model`. */
  price(name: string): ModelPrice | null;
  /** How much more than we do the provider has counted at most so far, by `provider/model`. */
  counted: Map<string, number>;
  /** Stores what no usage event tells of: answers that broke, and requests that belong to no step. */
  store(amount: Amount): void;
}

/** What has streamed of the current attempt, and what earlier attempts of the same request cost. */
interface Seen {
  chars: number;
  voided: Amount;
}

/** Steps have tools; last words have them but may not use them; everything else asks for something aside. */
function kindOf({ tools, toolChoice }: ModelRequest): keyof typeof OUTPUT {
  if (tools.length === 0) return 'aside';
  return toolChoice === 'none' ? 'lastWords' : 'step';
}

/** One request on its way from its reservation to its price. */
class MeteredRequest {
  private readonly price: ModelPrice | null;
  private readonly inputTokens: number;
  private hold: Hold | null = null;
  private isSettled = false;

  constructor(
    private readonly name: string,
    private readonly request: ModelRequest,
    private readonly meter: Metering,
  ) {
    this.price = meter.price(name);
    this.inputTokens = estimateRequestTokens(request.messages, request.tools);
  }

  /** Reserves what the request may cost; gives the request with the length that its answer may have. */
  async begin(signal: AbortSignal): Promise<ModelRequest> {
    const { ledger, sessionId } = this.meter;
    const { micros, tokens } = ledger.limits(sessionId);
    if (micros === null && tokens === null) return this.request;
    if (micros !== null && this.price === null) throw unpriced(this.name);
    this.hold = await ledger.reserve(sessionId, this.wish(), signal);
    return { ...this.request, maxOutputTokens: this.hold.outputTokens };
  }

  /** What an attempt cost of which this much arrived. */
  estimate(chars: number): Amount {
    return this.amount({ inputTokens: this.inputTokens, outputTokens: estimateCharTokens(chars) });
  }

  /** Books a whole answer; gives the reply with its price. */
  finish(reply: ModelReply, { voided }: Seen): ModelReply {
    if (reply.usage === null) {
      const written = reply.calls.reduce(
        (chars, { raw }) => chars + raw.length,
        reply.text.length + reply.reasoning.length,
      );
      const { micros, tokens } = this.estimate(written);
      // An estimate of the tokens is told by the step itself, but not what they cost.
      const stored = this.isTold ? { micros, tokens: 0 } : { micros, tokens };
      this.settle(plus({ micros, tokens }, voided), plus(stored, voided));
      return reply;
    }
    this.learn(reply.usage);
    const amount = this.amount(reply.usage);
    this.settle(plus(amount, voided), this.isTold ? voided : plus(amount, voided));
    const cost = this.price === null ? {} : { costMicros: amount.micros };
    return { ...reply, usage: { ...reply.usage, model: this.name, ...cost } };
  }

  /** Books what a broken or stopped answer cost; does nothing after a whole one. */
  breakOff({ chars, voided }: Seen, wasStopped: boolean): void {
    const amount = plus(wasStopped || chars > 0 ? this.estimate(chars) : NOTHING, voided);
    this.settle(amount, amount);
  }

  /** Whether a usage event of the turn stores what a whole answer took. */
  private get isTold(): boolean {
    return kindOf(this.request) !== 'aside' || this.request.purpose === 'classify';
  }

  private settle(whole: Amount, stored: Amount): void {
    if (this.isSettled) return;
    this.isSettled = true;
    if (this.hold) this.hold.settle(whole);
    else this.meter.ledger.book(this.meter.sessionId, whole);
    if (stored.micros > 0 || stored.tokens > 0) this.meter.store(stored);
  }

  private learn({ inputTokens }: Usage): void {
    const { counted } = this.meter;
    counted.set(this.name, Math.max(counted.get(this.name) ?? 0, inputTokens / this.inputTokens));
  }

  private amount(usage: Usage): Amount {
    const micros = this.price === null ? 0 : costMicros(usage, this.price);
    return { micros, tokens: usage.inputTokens + usage.outputTokens };
  }

  private wish(): Wish {
    const seen = this.meter.counted.get(this.name) ?? 0;
    const inputTokens = Math.ceil(this.inputTokens * Math.max(INPUT_MARGIN, seen * SEEN_MARGIN));
    const cost = (outputTokens: number): Amount => this.amount({ inputTokens, outputTokens });
    const kind = kindOf(this.request);
    const { least, most } = OUTPUT[kind];
    const mostOutput = Math.min(most, this.request.maxOutputTokens ?? most);
    return {
      cost,
      leastOutput: Math.min(least, mostOutput),
      mostOutput,
      spare: kind === 'lastWords' ? NOTHING : cost(OUTPUT.lastWords.least),
    };
  }
}

const unpriced = (name: string): AppError =>
  new AppError(
    'budget_exceeded',
    `This session has a budget in dollars, but no price is known for the model ${name}, so it can’t be kept.`,
    { hint: 'Add the price of the model in the settings, or take the budget away.', detail: { model: name } },
  );

function note(event: ModelStreamEvent, seen: Seen, one: MeteredRequest): void {
  if (event.type === 'text' || event.type === 'reasoning') seen.chars += event.text.length;
  if (event.type !== 'reset') return;
  seen.voided = plus(seen.voided, one.estimate(seen.chars));
  seen.chars = 0;
}

async function* metered(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal,
  meter: Metering,
): AsyncGenerator<ModelStreamEvent, ModelReply> {
  const one = new MeteredRequest(`${provider.id}/${request.model}`, request, meter);
  const limited = await one.begin(signal);
  const seen: Seen = { chars: 0, voided: NOTHING };
  const stream = provider.stream(limited, { signal });
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return one.finish(next.value, seen);
      note(next.value, seen, one);
      yield next.value;
    }
  } finally {
    one.breakOff(seen, signal.aborted);
    await stream.return(undefined as never);
  }
}

/** The same provider, each of whose answers is paid from the session's budget and carries its price. */
export function meteredProvider(provider: ModelProvider, meter: Metering): ModelProvider {
  return {
    id: provider.id,
    name: provider.name,
    scripted: provider.scripted,
    ...(provider.local === undefined ? {} : { local: provider.local }),
    stream: (request, { signal }) => metered(provider, request, signal, meter),
  };
}
