import { z } from 'zod';
import type { Mode } from '../../../shared/model/mode';
import type { ToolSpec } from '../model/port';
import { legalToolName } from '../model/schema-tool';
import type { JsonSchema } from './argument-repair';
import type { ToolDefinition } from './types';
import type { Schema } from '../../../shared/schema';

export interface ToolRegistry {
  get(name: string): RegisteredTool | undefined;
  names(): readonly string[];
  /** Specs for a request in the order of registration, the same array every time (a changed list breaks prefix caches). */
  specsFor(mode: Mode): ToolSpec[];
}

export interface RegisteredTool {
  definition: ToolDefinition;
  schema: JsonSchema;
}

/** @throws Error when two tools share a name: a mistake of the composition, not of a user */
export function createToolRegistry(definitions: readonly ToolDefinition[]): ToolRegistry {
  const tools = new Map<string, RegisteredTool>();
  for (const definition of definitions) {
    const name = legalToolName(definition.name);
    if (tools.has(name)) throw new Error(`two tools are named ${name}`);
    tools.set(name, { definition, schema: schemaOf(definition.input) });
  }
  const specs = (mode: Mode): ToolSpec[] =>
    [...tools]
      .filter(([, { definition }]) => definition.modes.includes(mode))
      .map(([name, { definition, schema }]) => ({
        name,
        description: definition.describe,
        parameters: schema,
      }));
  const byMode = { agent: specs('agent'), plan: specs('plan'), ask: specs('ask') };
  const names = [...tools.keys()];
  return {
    get: (name) => tools.get(name),
    names: () => names,
    specsFor: (mode) => byMode[mode],
  };
}

/** The JSON Schema of a tool's input without what only costs tokens: the dialect, and the limits of safe integers. */
function schemaOf(input: Schema): JsonSchema {
  return slim(z.toJSONSchema(input, { io: 'input' })) as JsonSchema;
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      key !== '$schema' && !(typeof inner === 'number' && Math.abs(inner) === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, slim(inner)]));
}
