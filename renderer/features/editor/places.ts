/** Where the user was in a file. Lines and columns are 1-based, `scrollTop` is in pixels. */
export interface Place {
  line: number;
  column: number;
  scrollTop: number;
}

/** More files than this are forgotten, those longest unseen first. */
const MAX_PLACES = 200;

/** By path, the file seen last at the end. Written by the code on screen, read when a file comes back. */
export const places = new Map<string, Place>();

export function notePlace(path: string, place: Place): void {
  places.delete(path);
  places.set(path, place);
  for (const old of places.keys()) {
    if (places.size <= MAX_PLACES) return;
    places.delete(old);
  }
}
