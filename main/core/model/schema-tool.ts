import { createHash } from 'node:crypto';
import type { ToolSpec } from './port';
import { fitSchema } from './schema-fit';
import { cutText, type FitLevel } from './schema-keywords';

const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Longest description of a function that OpenAI takes. */
const MAX_DESCRIPTION = 1024;

/**
 * A name that every provider takes; a legal one stays as it is. Others keep what is legal of them and get eight digits of
 * their hash, so that two names never become one.
 */
export function legalToolName(name: string): string {
  if (LEGAL_NAME.test(name)) return name;
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const kept = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 55);
  return `${kept === '' || kept === '_' ? 'tool' : kept}_${digits}`;
}

const fitted: Record<FitLevel, WeakMap<ToolSpec, ToolSpec>> = {
  common: new WeakMap(),
  plain: new WeakMap(),
};

/** The tool as it may be sent (fault-F109); the very same object when nothing had to change. Remembered per object. */
export function fitTool(spec: ToolSpec, level: FitLevel = 'common'): ToolSpec {
  const known = fitted[level].get(spec);
  if (known !== undefined) return known;
  const result: ToolSpec = {
    name: legalToolName(spec.name),
    description: cutText(spec.description, MAX_DESCRIPTION),
    parameters: fitSchema(spec.parameters, level),
  };
  const same = JSON.stringify(result) === JSON.stringify(spec) ? spec : result;
  fitted[level].set(spec, same);
  return same;
}
