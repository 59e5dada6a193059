export interface WindowFacts {
  dirtyFiles: number;
  visible: boolean;
  activeSessionId: string | null;
}

/** What the connected windows last said of themselves: decides about notifications and the guard on closing. */
export class WindowRegistry {
  private readonly windows = new Map<string, WindowFacts>();

  update(clientId: string, facts: WindowFacts): void {
    this.windows.set(clientId, facts);
  }

  remove(clientId: string): void {
    this.windows.delete(clientId);
  }

  /** True when a visible window shows this session. */
  isSeen(sessionId: string): boolean {
    return [...this.windows.values()].some((facts) => facts.visible && facts.activeSessionId === sessionId);
  }

  dirtyFiles(): number {
    return [...this.windows.values()].reduce((sum, facts) => sum + facts.dirtyFiles, 0);
  }
}
