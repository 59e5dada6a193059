import { EventEmitter } from 'node:events';

interface OpenWindow {
  close(): void;
}

/** The open windows, for the app's quitting; emits `none` when the last one has closed and `refused` when one stays. */
class Windows extends EventEmitter {
  private readonly open = new Set<OpenWindow>();
  private lastId = 0;

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  add(window: OpenWindow): void {
    this.open.add(window);
  }

  remove(window: OpenWindow): void {
    this.open.delete(window);
    if (this.open.size === 0) this.emit('none');
  }

  refused(): void {
    this.emit('refused');
  }

  all(): OpenWindow[] {
    return [...this.open];
  }
}

export const windows = new Windows();
