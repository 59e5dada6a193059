import { sightByName, sightBySetting } from './sight';

/** Models that refused images, as `baseUrl model`. */
export interface BlindStore {
  read(): string[];
  write(list: string[]): void;
}

export interface ModelPlace {
  providerId: string;
  baseUrl: string;
  model: string;
}

/** Refusals that are remembered; the oldest make room. */
const KEPT = 200;

const keyOf = ({ baseUrl, model }: Pick<ModelPlace, 'baseUrl' | 'model'>): string => `${baseUrl} ${model}`;

/** Which models take images: by the user's word, by what their servers refused or say of them, by their names. */
export class SightKeeper {
  constructor(
    private readonly setting: () => string,
    private readonly blind: BlindStore,
  ) {}

  /** The user's word, else what a refusal showed; null when there is neither. */
  told(place: ModelPlace): boolean | null {
    const said = sightBySetting(this.setting(), place.providerId, place.model);
    return said ?? (this.blind.read().includes(keyOf(place)) ? false : null);
  }

  /** @param listed what the server says of its model */
  known(place: ModelPlace, listed: boolean | null | undefined): boolean | null {
    return this.told(place) ?? listed ?? sightByName(place.model);
  }

  learnBlind(place: Pick<ModelPlace, 'baseUrl' | 'model'>): void {
    const key = keyOf(place);
    this.blind.write([...this.blind.read().filter((each) => each !== key), key].slice(-KEPT));
  }

  /** The server was set up anew, or asked for its models: what it refused before may have changed. */
  forget(baseUrl: string): void {
    const all = this.blind.read();
    const kept = all.filter((key) => !key.startsWith(`${baseUrl} `));
    if (kept.length < all.length) this.blind.write(kept);
  }
}
