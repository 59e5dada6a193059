import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { GivenImage } from '../../../shared/image/image-facts';

const Kept = z.array(GivenImage);

/** Files of messages that nobody sent for so long are of sessions that are gone. */
const KEPT_MS = 60 * 24 * 60 * 60_000;

/**
 * Pictures of messages that wait to be sent, a file per message: too large for the store's small values, and in no session
 * yet. Written and read at once, since a message is queued and sent in one moment.
 */
export class QueuedImages {
  constructor(private readonly dir: string) {}

  /** @throws the file system's own errors */
  keep(messageId: string, images: readonly GivenImage[]): void {
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    writeFileSync(this.pathOf(messageId), JSON.stringify(images), { mode: 0o600 });
  }

  /** Null when they are not there (any more). */
  load(messageId: string): GivenImage[] | null {
    try {
      return Kept.parse(JSON.parse(readFileSync(this.pathOf(messageId), 'utf8')));
    } catch {
      return null;
    }
  }

  drop(messageId: string): void {
    rmSync(this.pathOf(messageId), { force: true });
  }

  /** Removes what was left behind long ago. */
  tidy(now = Date.now()): void {
    try {
      for (const name of readdirSync(this.dir)) {
        const path = join(this.dir, name);
        if (now - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
      }
    } catch {
      // No folder, nothing to tidy.
    }
  }

  private pathOf(messageId: string): string {
    return join(this.dir, `${messageId.replace(/[^\w-]/g, '_')}.json`);
  }
}
