import { hasImages, replaceImages } from '../image/left-out';
import { imageRefusal } from './image-refusal';
import type { ModelError } from './model-error';
import type { ImagePart, ModelRequest, ModelStreamEvent } from './port';

/** Failures that say nothing of what was sent. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['provider_auth', 'provider_quota', 'provider_rate_limit', 'provider_context', 'provider_filtered'],
  ...['provider_unreachable', 'provider_timeout', 'cancelled', 'timed_out'],
]);

export interface LeftOut {
  request: ModelRequest;
  /** What the user is told; nothing when that was done before. */
  notices: ModelStreamEvent[];
}

const imagesIn = ({ messages }: ModelRequest): ImagePart[] =>
  messages.flatMap((message) => (hasImages(message) ? message.images : []));

function replacing(request: ModelRequest, reason: (part: ImagePart) => string | null): ModelRequest {
  const messages = request.messages.map((message) => replaceImages(message, reason));
  return messages.every((message, at) => message === request.messages[at])
    ? request
    : { ...request, messages };
}

/** What one server did with the images it was sent: refusals cost one more try, never the turn (fault-F110). */
export class SentImages {
  /** Images that went through once: a refusal is about others. */
  private readonly taken = new WeakSet<ImagePart>();
  private readonly refused = new WeakMap<ImagePart, string>();
  private refusedAny = false;
  private readonly told = new Set<string>();

  constructor(
    private readonly server: string,
    /** A model takes no images at all. */
    private readonly onBlind: (model: string) => void,
  ) {}

  /** The request without images that this server refused before. */
  fitting(request: ModelRequest): ModelRequest {
    if (!this.refusedAny) return request;
    return replacing(request, (part) => this.refused.get(part) ?? null);
  }

  answered(request: ModelRequest): void {
    for (const part of imagesIn(request)) this.taken.add(part);
  }

  /**
   * The request with a line of text in place of what was refused; null when the refusal is not about images.
   *
   * @param request as it was sent
   */
  without(request: ModelRequest, error: ModelError): LeftOut | null {
    const images = imagesIn(request);
    if (images.length === 0 || ELSEWHERE.has(error.code)) return null;
    const kind = imageRefusal(error.refusalBody ?? error.message);
    if (kind === null) return null;
    return kind === 'blind' ? this.blind(request) : this.broken(request, images);
  }

  private blind(request: ModelRequest): LeftOut {
    const { model } = request;
    this.onBlind(model);
    const text = `${model} does not take images at ${this.server}: they were left out, and a line of text stands for each. If it does see, name it in the setting chat.model.sees.`;
    return {
      request: replacing(request, () => `${this.server} says that this model does not take images`),
      notices: this.once(model, text),
    };
  }

  private broken(request: ModelRequest, images: readonly ImagePart[]): LeftOut {
    const fresh = images.filter((part) => !this.taken.has(part));
    const suspects = new Set(fresh.length > 0 ? fresh : images);
    const why = `${this.server} could not read it`;
    for (const part of suspects) this.refused.set(part, why);
    this.refusedAny = true;
    const what = suspects.size === 1 ? 'an image' : `${suspects.size} images`;
    const text = `${this.server} could not read ${what}: left out, with a line of text instead.`;
    const notice: ModelStreamEvent = { type: 'notice', kind: 'images_left_out', text };
    return { request: this.fitting(request), notices: [notice] };
  }

  private once(subject: string, text: string): ModelStreamEvent[] {
    if (this.told.has(subject)) return [];
    this.told.add(subject);
    return [{ type: 'notice', kind: 'images_left_out', text }];
  }
}
