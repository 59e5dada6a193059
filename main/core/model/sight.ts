interface SightRule {
  /** Fits the name without its vendor (`openai/…`), in lower case. */
  name: RegExp;
  sees: boolean;
}

const yes = (name: RegExp): SightRule => ({ name, sees: true });
const no = (name: RegExp): SightRule => ({ name, sees: false });

/** Whether well-known models take images, by name; the first rule that fits decides. Providers' own answers outrank it. */
const RULES: readonly SightRule[] = [
  // Names that say it themselves, whoever made them.
  no(/embed|rerank|whisper|tts|moderation/),
  yes(/vision|[-_.\d]vl\b|-vl-|multimodal|llava|moondream|minicpm-v|internvl|smolvlm|pixtral|\bqvq\b|molmo/),
  // https://platform.openai.com/docs/models: input modalities of each model
  no(/^(?:gpt-3|gpt-oss|o1-mini|o1-preview|o3-mini|codex-mini)/),
  yes(/^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-4-turbo|gpt-5|o1|o3|o4-mini)/),
  // https://docs.anthropic.com/en/docs/build-with-claude/vision: every model from Claude 3 on
  no(/^claude-(?:2|instant)/),
  yes(/^claude-/),
  // https://ai.google.dev/gemini-api/docs/models; gemma: https://ai.google.dev/gemma/docs/core (1B and 270M are text only)
  yes(/^gemini-/),
  no(/^gemma-?3[-:](?:1b|270m)/),
  yes(/^gemma-?3(?:[-:]|$)/),
  // https://api-docs.deepseek.com/api/create-chat-completion: content is text
  no(/^deepseek-(?:chat|reasoner|coder|r1|v[23])/),
  // https://www.llama.com/docs/model-cards-and-prompt-formats: 3.2 Vision (above) and 4 take images
  yes(/^llama-?4/),
  no(/^llama-?3|^codellama/),
  // https://docs.x.ai/docs/models
  no(/^grok-(?:3|code)/),
  yes(/^grok-4/),
  // https://qwenlm.github.io: the coder and reasoning lines are text models
  no(/^qwen[\d.]*-?coder|^qwq/),
  // https://docs.z.ai, https://platform.moonshot.ai
  yes(/^glm-4[.\d]*v/),
  no(/^glm-4|^kimi-k2(?:-|$)/),
];

/** Names that were looked at last: each step of a turn asks for the same one. */
const known = new Map<string, boolean | null>();
const MAX_KNOWN = 500;

/** Whether a model takes images as far as its name tells; null when it tells nothing. */
export function sightByName(model: string): boolean | null {
  const before = known.get(model);
  if (before !== undefined) return before;
  const bare = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const sees = RULES.find(({ name }) => name.test(bare))?.sees ?? null;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(model, sees);
  return sees;
}

const special = /[.+^${}()|[\]\\?]/g;

const fits = (pattern: string, names: readonly string[]): boolean => {
  const shape = new RegExp(`^${pattern.replace(special, String.raw`\$&`).replaceAll('*', '.*')}$`, 'i');
  return names.some((name) => shape.test(name));
};

/**
 * What the user says of a model in the setting `chat.model.sees`: patterns with `*` for `provider/model` or `model`, separated
 * by commas; those with `!` in front name models that don't see. The last one that fits decides; null when none does.
 */
export function sightBySetting(setting: string, providerId: string, model: string): boolean | null {
  if (setting === '') return null;
  const names = [model, `${providerId}/${model}`];
  const patterns = setting.split(',').map((pattern) => pattern.trim());
  const last = patterns.findLast((pattern) => fits(pattern.replace(/^!/, ''), names));
  return last === undefined ? null : !last.startsWith('!');
}
