import { listOf, recordOf, type LooseRecord } from './loose';

/** Schemas one tool may consist of after its references are followed; what comes beyond that is cut to its type. */
const MAX_NODES = 2000;

/** A walk through one schema document. */
export interface SchemaWalk {
  root: LooseRecord;
  /** References that are being followed: one of them again would never end. */
  open: readonly string[];
  /** Schemas that may still be looked at; shared by the whole walk, so that a small document can't become a huge one. */
  left: { nodes: number };
}

export const walkOf = (root: LooseRecord): SchemaWalk => ({
  root,
  open: ['#'],
  left: { nodes: MAX_NODES },
});

/**
 * The schema with its `$ref` followed and its `allOf` joined, so that it has neither. A cycle ends at its second round as
 * a schema that names the type alone. References to other documents say nothing.
 */
export function settle(
  schema: LooseRecord,
  walk: SchemaWalk,
): { schema: LooseRecord; open: readonly string[] } {
  walk.left.nodes -= 1;
  const { $ref, allOf, ...rest } = schema;
  if (walk.left.nodes < 0) return { schema: outline(rest), open: walk.open };
  let result: LooseRecord = rest;
  let { open } = walk;
  const add = (part: LooseRecord): void => {
    const settled = settle(part, { ...walk, open });
    result = joined(result, settled.schema);
    ({ open } = settled);
  };
  if (typeof $ref === 'string') {
    const target = lookUp(walk.root, $ref);
    if (open.includes($ref)) result = joined(result, outline(target ?? {}));
    else if (target !== null) {
      open = [...open, $ref];
      add(target);
    }
  }
  for (const part of listOf(allOf)) add(recordOf(part) ?? {});
  return { schema: result, open };
}

/** What is left of a schema that may not be followed any further. */
function outline({ type, description, properties }: LooseRecord): LooseRecord {
  const known = type ?? (properties === undefined ? undefined : 'object');
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** Both schemas at once; where they differ the first one counts. */
export function joined(first: LooseRecord, second: LooseRecord): LooseRecord {
  const added = Object.entries(second).filter(([name]) => !Object.hasOwn(first, name));
  const result: LooseRecord = Object.fromEntries([...Object.entries(first), ...added]);
  const [ours, theirs] = [recordOf(first['properties']), recordOf(second['properties'])];
  if (ours !== null && theirs !== null) {
    const theirOwn = Object.entries(theirs).filter(([name]) => !Object.hasOwn(ours, name));
    result['properties'] = Object.fromEntries([...Object.entries(ours), ...theirOwn]);
  }
  if (Array.isArray(first['required']) && Array.isArray(second['required'])) {
    result['required'] = [...new Set<unknown>([...listOf(first['required']), ...listOf(second['required'])])];
  }
  return result;
}

/** The schema a local JSON pointer names; null when there is none. */
function lookUp(root: LooseRecord, reference: string): LooseRecord | null {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return null;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    if (typeof at !== 'object' || at === null) return null;
    const name = unescaped(part);
    if (!Object.hasOwn(at, name)) return null;
    at = (at as LooseRecord)[name];
  }
  return recordOf(at);
}

function unescaped(part: string): string {
  const plain = /%(?![0-9a-f]{2})/i.test(part) ? part : decoded(part);
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
