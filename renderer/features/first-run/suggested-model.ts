import type { ProviderInfo } from '../../../shared/contract/model';

/** Families that call tools well, best first. */
const GOOD_AT_TOOLS = [/coder/i, /qwen3|gpt-oss|devstral|glm/i, /qwen|llama-?3|mistral/i];
const NOT_FOR_CHAT = /embed|rerank|whisper|tts|clip|bge-|nomic/i;

/** The model of a local server to start with: the one the host marked, else the family that works best with tools. */
export function suggestedModel(server: Pick<ProviderInfo, 'models'>): string | null {
  const usable = server.models.filter((model) => !NOT_FOR_CHAT.test(model.id));
  const marked = usable.find((model) => model.note !== undefined);
  if (marked) return marked.id;
  for (const family of GOOD_AT_TOOLS) {
    const found = usable.find((model) => family.test(model.id));
    if (found) return found.id;
  }
  return usable[0]?.id ?? null;
}
