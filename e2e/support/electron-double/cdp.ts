/** A connection to Chromium's DevTools protocol with flat sessions: https://chromedevtools.github.io/devtools-protocol/ */

type Facts = Record<string, unknown>;
type Listener = (params: Facts, sessionId: string | undefined) => void;

interface Reply {
  id?: number;
  method?: string;
  params?: Facts;
  result?: Facts;
  error?: { message: string };
  sessionId?: string;
}

interface Waiting {
  method: string;
  resolve: (result: Facts) => void;
  reject: (error: Error) => void;
}

export class Cdp {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(String(data)) as Reply));
    socket.addEventListener('close', () => this.end());
  }

  static async connect(endpoint: string): Promise<Cdp> {
    const socket = new WebSocket(endpoint);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`No DevTools at ${endpoint}`)), { once: true });
    });
    return new Cdp(socket);
  }

  send(method: string, params: Facts = {}, sessionId?: string): Promise<Facts> {
    this.lastId += 1;
    const id = this.lastId;
    this.socket.send(
      JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }),
    );
    return new Promise((resolve, reject) => this.waiting.set(id, { method, resolve, reject }));
  }

  /** @param sessionId only events of this session; all when left out */
  on(method: string, listener: (params: never) => void, sessionId?: string): void {
    const all = this.listeners.get(method) ?? new Set();
    this.listeners.set(method, all);
    all.add((params, from) => {
      if (sessionId === undefined || from === sessionId) listener(params as never);
    });
  }

  close(): void {
    this.socket.close();
  }

  private receive(reply: Reply): void {
    if (reply.id === undefined) {
      const params = reply.params ?? {};
      for (const listener of this.listeners.get(reply.method ?? '') ?? []) listener(params, reply.sessionId);
      return;
    }
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (reply.error) waiting?.reject(new Error(`${waiting.method}: ${reply.error.message}`));
    else waiting?.resolve(reply.result ?? {});
  }

  private end(): void {
    for (const { method, reject } of this.waiting.values())
      reject(new Error(`${method}: the browser is gone`));
    this.waiting.clear();
  }
}
