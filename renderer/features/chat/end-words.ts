import type { ErrorCode, ErrorShape } from '../../../shared/error';
import type { ItemView } from '../../../shared/model/session-view';
import { formatCount, formatSpan } from '../../lib/format';

export type EndItem = Extract<ItemView, { kind: 'end' }>;
export type EndAction = 'retry' | 'continue' | 'settings' | 'model';

/** How a turn's end is told: what happened, what was kept, what can be done. */
export interface EndWords {
  tone: 'done' | 'info' | 'error';
  title: string;
  kept: string | null;
  hint: string | null;
  actions: readonly EndAction[];
}

const SETTINGS_CODES: ReadonlySet<ErrorCode> = new Set(['provider_auth', 'provider_quota']);
const MODEL_CODES: ReadonlySet<ErrorCode> = new Set([
  'no_model',
  'provider_model',
  'provider_no_tools',
  'provider_context',
  'provider_too_large',
]);
/** The first answer may have been cut in its middle: there is something to go on from. */
const CUT_CODES: ReadonlySet<ErrorCode> = new Set([
  'cancelled',
  'provider_unreachable',
  'provider_timeout',
  'provider_overloaded',
  'provider_protocol',
]);
/** Asking again gives the same answer: another model or other settings are the way. */
const HOPELESS_CODES: ReadonlySet<ErrorCode> = new Set(['no_model', 'no_project', 'folder_missing']);

export function endWords(item: EndItem): EndWords {
  const steps = formatCount(item.steps, 'step');
  const kept = item.steps > 0 ? `All that was done in ${steps} is kept.` : 'Nothing was lost.';
  switch (item.reason) {
    case 'done':
      return done(`${steps}, ${formatSpan(item.durationMs)}`);
    case 'stopped':
      return { tone: 'info', title: 'Stopped by you.', kept, hint: null, actions: ['continue'] };
    case 'step_limit':
      return {
        tone: 'info',
        title: `Stopped at the limit of ${steps}.`,
        kept: 'All that was done is kept.',
        hint: null,
        actions: ['continue'],
      };
    case 'repeated_calls':
      return {
        tone: 'info',
        title: item.why === undefined ? 'Stopped: the agent went round in a circle.' : `Stopped. ${item.why}`,
        kept,
        hint: 'Say what to do differently, or continue.',
        actions: ['continue'],
      };
    case 'budget':
      return {
        tone: 'info',
        title: 'Stopped: the budget is used up.',
        kept,
        hint: 'Raise the budget of this session beside the context meter, or in the settings, then continue.',
        actions: ['continue'],
      };
    case 'error':
      return errorWords(item, kept);
  }
}

const done = (title: string): EndWords => ({ tone: 'done', title, kept: null, hint: null, actions: [] });

function errorWords(item: EndItem, kept: string): EndWords {
  const error = item.error;
  return {
    tone: 'error',
    title: error?.message ?? 'The turn failed.',
    kept,
    hint: error?.hint ?? null,
    actions: error ? errorActions(error, item.steps) : ['retry'],
  };
}

function errorActions(error: ErrorShape, steps: number): EndAction[] {
  const actions: EndAction[] = [];
  if (MODEL_CODES.has(error.code)) actions.push('model');
  if (SETTINGS_CODES.has(error.code)) actions.push('settings');
  if (!HOPELESS_CODES.has(error.code)) actions.push('retry');
  const hasBegun = steps > 1 || (steps === 1 && CUT_CODES.has(error.code));
  if (hasBegun && !HOPELESS_CODES.has(error.code)) actions.push('continue');
  return actions;
}

/** "Next try in 8 s." while it waits, "Tried again." afterwards. */
export function retryWords(until: number, now: number): string {
  const seconds = Math.ceil((until - now) / 1000);
  return seconds > 0 ? `Next try in ${seconds} s.` : 'Tried again.';
}
