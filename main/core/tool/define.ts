import type { Prepared, ToolDefinition } from './types';
import type { Schema } from '../../../shared/schema';

/** A tool is one value in one file; this only gives `run` and the others the type of the schema's output. */
export function defineTool<I extends Schema, P extends Prepared = Prepared>(
  definition: ToolDefinition<I, P>,
): ToolDefinition<I, P> {
  return definition;
}
