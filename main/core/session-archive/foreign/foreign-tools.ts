import { claudeLog } from './claude-log';
import { codexLog } from './codex-log';
import type { ForeignTool, ForeignToolId } from './foreign-log';
import { opencodeLog } from './opencode-log';
import { piLog } from './pi-log';

/** Tools whose sessions can be brought in, in the order in which they are listed. */
export const FOREIGN_TOOLS: readonly ForeignTool[] = [claudeLog, codexLog, opencodeLog, piLog];

export function foreignTool(id: ForeignToolId): ForeignTool {
  const tool = FOREIGN_TOOLS.find((each) => each.id === id);
  if (!tool) throw new Error(`no reader for ${id}`);
  return tool;
}
