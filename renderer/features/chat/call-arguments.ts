/** The most characters of one argument that a row shows. */
const MAX_CHARS = 2000;

export interface ArgumentRow {
  readonly name: string;
  readonly value: string;
}

/** A call's arguments as rows of text, whatever the model sent (fault-F74). */
export function argumentRows(args: unknown): ArgumentRow[] {
  if (args === null || args === undefined) return [];
  if (typeof args !== 'object' || Array.isArray(args)) return [{ name: 'arguments', value: valueText(args) }];
  return Object.entries(args).map(([name, value]) => ({ name, value: valueText(value) }));
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}… (${text.length - MAX_CHARS} more)`;
}
