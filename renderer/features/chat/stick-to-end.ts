/** A scroller's numbers at one moment, in CSS pixels. */
export interface ScrollPlace {
  readonly top: number;
  readonly contentHeight: number;
  readonly viewHeight: number;
}

/** Closer to the end than this counts as being there: a line of text. */
export const END_PX = 24;

export const distanceToEnd = ({ top, contentHeight, viewHeight }: ScrollPlace): number =>
  Math.max(0, contentHeight - viewHeight - top);

/**
 * Whether the end is followed after a scroll from `before` to `now`. Reaching the end starts it, going up stops it;
 * content that grows (which moves the end away, not the reader) changes nothing.
 */
export function followsAfter(following: boolean, before: ScrollPlace, now: ScrollPlace): boolean {
  if (distanceToEnd(now) <= END_PX) return true;
  const shrunk = now.contentHeight < before.contentHeight;
  if (now.top < before.top - 1 && !shrunk) return false;
  return following;
}
