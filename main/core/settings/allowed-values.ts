import { z } from 'zod';
import { Settings, type SettingKey } from '../../../shared/contract/settings';

const Facts = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
});
const properties = z.record(z.string(), Facts).parse(z.toJSONSchema(Settings).properties);

const settingKeys = new Set<string>(Object.keys(Settings.shape));

export function isSettingKey(key: string): key is SettingKey {
  return settingKeys.has(key);
}

/** What a setting may be, for people: `one of "off", "on"`, `a whole number from 1 to 16` … */
export function allowedValues(key: SettingKey): string {
  const facts = properties[key] ?? {};
  if (facts.enum) return `one of ${facts.enum.map((name) => `"${name}"`).join(', ')}`;
  if (facts.type === 'boolean') return 'true or false';
  if (facts.type === 'object')
    return '{ "provider/model": { "input": 1.25, "cached": 0.125, "output": 10 } } in dollars per million tokens';
  if (facts.type === 'string') return `text of at most ${facts.maxLength ?? 1000} characters`;
  const noun = facts.type === 'integer' ? 'a whole number' : 'a number';
  return `${noun} from ${facts.minimum ?? 0} to ${facts.maximum ?? 'any'}`;
}
