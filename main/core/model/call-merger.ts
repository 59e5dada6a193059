import { recordOf, textOf } from './loose';

/** A call as it grows. */
export interface GrowingCall {
  id: string;
  name: string;
  raw: string;
  index: number | null;
  /** Provider data beside the call, such as Gemini's thought signature, to be sent back untouched. */
  extra?: unknown;
}

interface CallPiece {
  index: number | null;
  id: string;
  name: string;
  /** Argument text; null when the piece carries none. */
  text: string | null;
  /** The piece holds whole arguments (they came as an object). */
  whole: boolean;
  extra: unknown;
}

/**
 * Merges the pieces of streamed tool calls. Providers disagree on index, id and name, so the rules go by what a piece
 * has (fault-F59 to F67): a new id opens a call; without an id the index decides; without both, the last call goes on.
 */
export class CallMerger {
  private readonly calls: GrowingCall[] = [];

  get started(): boolean {
    return this.calls.length > 0;
  }

  /** Takes the `tool_calls` of one delta or message. */
  add(list: readonly unknown[]): void {
    const touched = new Set<GrowingCall>();
    for (const entry of list) {
      const piece = readPiece(entry);
      if (piece === null) continue;
      const call = this.find(piece, touched) ?? this.open(piece);
      grow(call, piece);
      touched.add(call);
    }
  }

  /** Calls in the order of their index where each has its own, else in the order they began. */
  finish(): GrowingCall[] {
    const real = this.calls.filter((call) => call.name !== '' || call.id !== '' || call.raw !== '');
    const indexes = new Set(real.map((call) => call.index));
    const ordered = !indexes.has(null) && indexes.size === real.length;
    return ordered ? real.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : real;
  }

  private open(piece: CallPiece): GrowingCall {
    const call: GrowingCall = { id: piece.id, name: '', raw: '', index: piece.index };
    this.calls.push(call);
    return call;
  }

  /** The open call a piece continues; undefined when it begins a new one. */
  private find(piece: CallPiece, touched: ReadonlySet<GrowingCall>): GrowingCall | undefined {
    const last = this.calls.at(-1);
    if (piece.id !== '') return this.findById(piece, touched);
    const sameIndex = piece.index === null ? last : this.calls.findLast((call) => call.index === piece.index);
    if (piece.name === '') return sameIndex ?? last;
    if (sameIndex === undefined || touched.has(sameIndex)) return undefined;
    return continues(sameIndex, piece) ? sameIndex : undefined;
  }

  private findById(piece: CallPiece, touched: ReadonlySet<GrowingCall>): GrowingCall | undefined {
    const same = this.calls.findLast((call) => call.id === piece.id);
    if (same !== undefined) {
      const sameSlot = piece.index === null || same.index === null || piece.index === same.index;
      return sameSlot && !touched.has(same) && continues(same, piece) ? same : undefined;
    }
    // An id that comes after the call has begun without one.
    const slot = piece.index === null ? undefined : this.calls.findLast((call) => call.index === piece.index);
    return slot?.id === '' && !touched.has(slot) && continues(slot, piece) ? slot : undefined;
  }
}

/** Whether a piece with a name or id belongs to `call`, which would otherwise have to be complete. */
function continues(call: GrowingCall, piece: CallPiece): boolean {
  const text = piece.text ?? '';
  if (text.trim() === '' || text === call.raw) return call.raw === '' || sameName(call, piece);
  if (isWholeObject(call.raw)) return false;
  return call.raw === '' || sameName(call, piece);
}

const sameName = (call: GrowingCall, piece: CallPiece): boolean =>
  piece.name === '' || piece.name === call.name;

function grow(call: GrowingCall, piece: CallPiece): void {
  if (call.id === '') call.id = piece.id;
  call.index ??= piece.index;
  if (piece.extra !== undefined) call.extra = piece.extra;
  call.name = joinName(call.name, piece.name);
  if (piece.text === null || piece.text === '') return;
  // The same whole arguments once more: a repeated final frame (fault-F47).
  if (piece.text === call.raw && isWholeObject(call.raw)) return;
  call.raw = piece.whole ? piece.text : call.raw + piece.text;
}

/** Names come whole, whole again with every piece, growing, or split (fault-F67). */
function joinName(have: string, next: string): string {
  if (next === '' || next === have) return have;
  return next.startsWith(have) ? next : have + next;
}

function isWholeObject(raw: string): boolean {
  const text = raw.trimEnd();
  if (!text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function readPiece(entry: unknown): CallPiece | null {
  const record = recordOf(entry);
  if (record === null) return null;
  const called = recordOf(record['function']) ?? record;
  const index = record['index'];
  const args = called['arguments'];
  const whole = typeof args === 'object' && args !== null;
  return {
    index: typeof index === 'number' && Number.isInteger(index) ? index : null,
    id: textOf(record['id']),
    name: textOf(called['name']),
    text: whole ? JSON.stringify(args) : argumentText(args),
    whole,
    extra: record['extra_content'],
  };
}

function argumentText(args: unknown): string | null {
  if (typeof args === 'string') return args;
  return args === undefined || args === null ? null : JSON.stringify(args);
}
