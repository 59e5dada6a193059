import type { z } from 'zod';
import type { Prepared, ToolDefinition } from './types';

/** A tool is one value in one file; this only gives `run` and the others the type of the schema's output. */
export function defineTool<I extends z.ZodType, P extends Prepared = Prepared>(
  definition: ToolDefinition<I, P>,
): ToolDefinition<I, P> {
  return definition;
}
