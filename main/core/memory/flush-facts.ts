import type { SessionId } from '../../../shared/model/ids';
import type { FlushFacts } from '../context/context-port';
import type { ResolvedModel } from '../model/port';
import { findFacts } from './find-facts';
import type { ProjectMemory } from './project-memory';

export interface FlushOptions {
  memory: ProjectMemory;
  /** `auto`: not when the model runs on this machine. */
  askModel(): 'auto' | 'always' | 'never';
  /** The cheapest model that the session may use; pays from its budget. */
  model(sessionId: SessionId): Promise<ResolvedModel>;
}

/** Keeps facts of messages that a full compaction is about to replace (X5). Without a model nothing is kept. */
export function createFlushFacts({ memory, askModel, model }: FlushOptions): FlushFacts {
  return async (sessionId, messages, signal) => {
    const how = askModel();
    if (how === 'never') return;
    const resolved = await model(sessionId as SessionId);
    const isNear = resolved.provider.scripted || resolved.local === true;
    if (how === 'auto' && isNear) return;
    await memory.flush(sessionId, await findFacts(messages, resolved, signal));
  };
}
