/** Fields that name things of this session; their values must not be those of another session here. */
const ID_FIELDS = new Set(['turnId', 'messageId', 'approvalId', 'questionId', 'compactionId']);

/**
 * Gives the ids of a session that comes from outside new values, the same one each time (case-H08): two copies of one
 * session, or two messages with one id, never get into each other's way. Ids of tool calls are left, since results name them.
 */
export class Rekey {
  private readonly known = new Map<string, string>();
  private readonly used = new Set<string>();

  constructor(
    private readonly sessionId: string,
    private readonly newId: () => string,
  ) {}

  id(old: string): string {
    const known = this.known.get(old);
    if (known !== undefined) return known;
    const made = this.newId();
    this.known.set(old, made);
    return made;
  }

  /** As `id` the first time; what comes again under the same id is something else. */
  once(old: string): string {
    if (this.used.has(old)) return this.newId();
    this.used.add(old);
    return this.id(old);
  }

  has(old: string): boolean {
    return this.known.has(old);
  }

  /** A copy of an event's payload with its ids replaced, at any depth. */
  value<T>(value: T): T {
    return this.walk(value) as T;
  }

  private walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.walk(each));
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) copy[name] = this.field(name, field);
    return copy;
  }

  private field(name: string, value: unknown): unknown {
    if (typeof value === 'string') {
      if (name === 'sessionId') return this.sessionId;
      return ID_FIELDS.has(name) ? this.id(value) : value;
    }
    // What a tool was called with belongs to the tool.
    if (name === 'args') return value;
    if (name !== 'approval' || typeof value !== 'object' || value === null || !('id' in value))
      return this.walk(value);
    return { ...(this.walk(value) as object), id: this.id(String(value.id)) };
  }
}
