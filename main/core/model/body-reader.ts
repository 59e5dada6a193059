import { createParser } from 'eventsource-parser';

/** One piece of a response body. */
export interface BodyFrame {
  data: string;
  /** The `event:` field, where the server sends one. */
  event: string | undefined;
  /** True for an event that the end of the body cut short (fault-F10). */
  unterminated: boolean;
  /** True when the body is not an event stream and `data` is all of it (fault-F18). */
  document: boolean;
}

/** One event or one document of more characters than this ends the reply. */
const MAX_FRAME_CHARS = 64 * 1024 * 1024;

/**
 * Cuts a response body into frames. What it is, is told from its first character, not from Content-Type, which
 * proxies strip or set wrong (fault-F18): `{`, `[` and `<` begin a document, everything else is an event stream.
 * Yields one list per chunk that completed at least one frame; comments yield nothing.
 */
export async function* readBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<BodyFrame[]> {
  const decoder = new TextDecoder('utf-8');
  const sink = new FrameSink();
  for await (const chunk of body) {
    const frames = sink.push(decoder.decode(chunk, { stream: true }));
    if (frames.length > 0) yield frames;
  }
  const rest = sink.end(decoder.decode());
  if (rest.length > 0) yield rest;
}

class FrameSink {
  private kind: 'unknown' | 'events' | 'document' = 'unknown';
  private held = '';
  private heldParts: string[] = [];
  private heldLength = 0;
  private frames: BodyFrame[] = [];
  private ended = false;
  private readonly parser = createParser({
    maxBufferSize: MAX_FRAME_CHARS,
    onEvent: ({ data, event }) => {
      this.frames.push({ data, event, unterminated: this.ended, document: false });
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw new RangeError(error.message);
    },
  });

  push(text: string): BodyFrame[] {
    if (this.kind === 'document') return this.keep(text);
    if (this.kind === 'events') return this.feed(text);
    this.held += text;
    const first = this.held.trimStart()[0];
    if (first === undefined) return [];
    const begin = this.held;
    this.held = '';
    this.kind = first === '{' || first === '[' || first === '<' ? 'document' : 'events';
    return this.push(begin);
  }

  end(text: string): BodyFrame[] {
    const frames = this.push(text);
    if (this.kind === 'document') return [...frames, ...documents(this.heldParts.join(''))];
    this.ended = true;
    return this.kind === 'events' ? [...frames, ...this.feed('\n\n')] : frames;
  }

  private keep(text: string): BodyFrame[] {
    this.heldLength += text.length;
    if (this.heldLength > MAX_FRAME_CHARS) throw new RangeError('The response body is too large.');
    this.heldParts.push(text);
    return [];
  }

  private feed(text: string): BodyFrame[] {
    if (text !== '') this.parser.feed(text);
    const frames = this.frames;
    this.frames = [];
    return frames;
  }
}

/** The whole body as one frame. */
function documents(text: string): BodyFrame[] {
  return [{ data: text.trim(), event: undefined, unterminated: false, document: true }];
}
