import type { SettingKey, Settings } from '../../../shared/contract/settings';

/** Settings of one plain value; tables are edited in the file. */
export type PlainKey = {
  [K in SettingKey]: Settings[K] extends string | number | boolean ? K : never;
}[SettingKey];
export type PlainValue = Settings[PlainKey];

interface RowBase {
  key: PlainKey;
  title: string;
  text: string;
}

/** How one setting is shown and changed. */
export type SettingRow =
  | (RowBase & { control: 'switch' })
  | (RowBase & { control: 'choice'; choices: readonly { value: string; label: string }[] })
  | (RowBase & { control: 'number'; min: number; max: number; unit: string })
  | (RowBase & { control: 'text'; placeholder: string });

export const GENERAL_ROWS: readonly SettingRow[] = [
  {
    key: 'files.autoSave',
    title: 'Save by itself',
    text: 'Never, after a pause, or when the editor loses the focus',
    control: 'choice',
    choices: [
      { value: 'off', label: 'Off' },
      { value: 'afterDelay', label: 'After a pause' },
      { value: 'onFocusChange', label: 'On leaving' },
    ],
  },
  {
    key: 'files.autoSaveDelay',
    title: 'Pause before saving',
    text: 'When saving after a pause',
    control: 'number',
    min: 100,
    max: 60_000,
    unit: 'ms',
  },
  {
    key: 'chat.agent.maxRequests',
    title: 'Steps per turn',
    text: 'The agent stops there and asks whether to go on',
    control: 'number',
    min: 1,
    max: 1000,
    unit: 'steps',
  },
  {
    key: 'chat.subagents.maxParallel',
    title: 'Subagents at once',
    text: 'More of them wait until one ends',
    control: 'number',
    min: 1,
    max: 16,
    unit: 'agents',
  },
  {
    key: 'chat.requestQueuing.defaultAction',
    title: 'Enter while a turn runs',
    text: 'Alt+Enter always queues; the arrow beside Send offers all three',
    control: 'choice',
    choices: [
      { value: 'steer', label: 'Steers it' },
      { value: 'queue', label: 'Queues' },
      { value: 'stop', label: 'Stops it first' },
    ],
  },
  {
    key: 'chat.review.mode',
    title: 'Review of edits',
    text: 'Before: each asks first. After: made unasked in the project, accepted or rejected later; commands still ask',
    control: 'choice',
    choices: [
      { value: 'before', label: 'Before' },
      { value: 'after', label: 'After' },
    ],
  },
  {
    key: 'chat.agent.todoGate',
    title: 'Finish the to-do list',
    text: 'The agent is sent back when it stops with items open',
    control: 'switch',
  },
  {
    key: 'chat.classify.enabled',
    title: 'Sort requests',
    text: 'What is asked decides about tools and models',
    control: 'switch',
  },
  {
    key: 'chat.classify.askModel',
    title: 'Ask a model how to sort',
    text: 'Where words don’t decide; by itself not for models on this machine',
    control: 'choice',
    choices: [
      { value: 'auto', label: 'By itself' },
      { value: 'always', label: 'Always' },
      { value: 'never', label: 'Never' },
    ],
  },
  {
    key: 'chat.recording.enabled',
    title: 'Record sessions',
    text: 'So that they can be played again without a model',
    control: 'switch',
  },
  {
    key: 'chat.memory.enabled',
    title: 'Memory',
    text: 'Notes of earlier sessions in this project go to the model',
    control: 'switch',
  },
  {
    key: 'chat.memory.flush',
    title: 'Remember before summaries',
    text: 'A model picks facts worth keeping',
    control: 'choice',
    choices: [
      { value: 'auto', label: 'Remote models' },
      { value: 'always', label: 'Always' },
      { value: 'never', label: 'Never' },
    ],
  },
  {
    key: 'chat.titles.generate',
    title: 'Name sessions',
    text: 'A short request after the first turn; models on this machine are not asked',
    control: 'switch',
  },
  {
    key: 'chat.useAgentsMdFile',
    title: 'Read rules files',
    text: 'AGENTS.md, CLAUDE.md, Cursor’s rules and the like go to the model',
    control: 'switch',
  },
  {
    key: 'chat.rules.userFiles',
    title: 'Read your own rules files',
    text: 'Also those in your home folder: ~/.claude, ~/.codex, ~/.config/opencode',
    control: 'switch',
  },
];

export const APPEARANCE_ROWS: readonly SettingRow[] = [
  {
    key: 'workbench.colorTheme',
    title: 'Theme',
    text: 'Editor and terminal follow',
    control: 'choice',
    choices: [
      { value: 'system', label: 'System' },
      { value: 'dark', label: 'Dark' },
      { value: 'light', label: 'Light' },
      { value: 'contrast', label: 'Contrast' },
    ],
  },
  {
    key: 'workbench.density',
    title: 'Density',
    text: 'Row height 22 or 20 px',
    control: 'choice',
    choices: [
      { value: 'regular', label: 'Regular' },
      { value: 'compact', label: 'Compact' },
    ],
  },
  {
    key: 'workbench.reduceMotion',
    title: 'Reduce motion',
    text: 'Follows the system when off',
    control: 'switch',
  },
  {
    key: 'chat.foldFinishedSteps',
    title: 'Fold finished steps',
    text: 'One line per step in the chat',
    control: 'switch',
  },
  {
    key: 'editor.fontSize',
    title: 'Code font size',
    text: '',
    control: 'number',
    min: 8,
    max: 32,
    unit: 'px',
  },
  {
    key: 'editor.fontFamily',
    title: 'Code font',
    text: 'Empty uses the system’s',
    control: 'text',
    placeholder: 'System monospace',
  },
];

export const MODEL_ROWS: readonly SettingRow[] = [
  {
    key: 'chat.model.fast',
    title: 'Model for simple requests',
    text: 'As provider/model, for sessions without a model of their own',
    control: 'text',
    placeholder: 'The default',
  },
  {
    key: 'chat.model.flagship',
    title: 'Model for hard requests',
    text: 'As provider/model; also after failed calls',
    control: 'text',
    placeholder: 'The default',
  },
  {
    key: 'chat.model.sees',
    title: 'Models that see images',
    text: 'Where a provider does not say it: names with *, separated by commas; ! for those that don’t',
    control: 'text',
    placeholder: 'none',
  },
  {
    key: 'chat.budget.sessionUsd',
    title: 'Money per session',
    text: 'With its subagents; 0 for no limit',
    control: 'number',
    min: 0,
    max: 100_000,
    unit: 'US$',
  },
  {
    key: 'chat.budget.sessionTokens',
    title: 'Tokens per session',
    text: 'In and out, with its subagents; 0 for no limit',
    control: 'number',
    min: 0,
    max: 1_000_000_000_000,
    unit: 'tokens',
  },
  {
    key: 'chat.context.summaryModel',
    title: 'Second model for summaries',
    text: 'As provider/model; asked when the session’s own can’t summarise',
    control: 'text',
    placeholder: 'None',
  },
  {
    key: 'chat.context.defaultWindow',
    title: 'Context window',
    text: 'For models that don’t say how much they take',
    control: 'number',
    min: 1000,
    max: 10_000_000,
    unit: 'tokens',
  },
];

export const APPROVAL_ROWS: readonly SettingRow[] = [
  {
    key: 'chat.approval.timeoutSeconds',
    title: 'Time to answer',
    text: 'No answer by then is a denial',
    control: 'number',
    min: 5,
    max: 3600,
    unit: 's',
  },
  {
    key: 'chat.changes.maxMegabytes',
    title: 'Kept before commands',
    text: 'How much of a project is kept as it was, so that what a command does can be undone',
    control: 'number',
    min: 1,
    max: 100_000,
    unit: 'MB',
  },
  {
    key: 'chat.changes.maxFiles',
    title: 'Files kept before commands',
    text: 'What lies beyond is named in the question about a command',
    control: 'number',
    min: 100,
    max: 1_000_000,
    unit: 'files',
  },
  {
    key: 'chat.changes.keepMegabytes',
    title: 'Former contents',
    text: 'Disk space for undo in all projects; the oldest make room',
    control: 'number',
    min: 10,
    max: 1_000_000,
    unit: 'MB',
  },
];

export const EDITOR_ROWS: readonly SettingRow[] = [
  {
    key: 'editor.tabSize',
    title: 'Tab size',
    text: 'Columns of a tab stop',
    control: 'number',
    min: 1,
    max: 16,
    unit: 'columns',
  },
  {
    key: 'editor.wordWrap',
    title: 'Word wrap',
    text: 'Long lines go on below',
    control: 'choice',
    choices: [
      { value: 'off', label: 'Off' },
      { value: 'on', label: 'On' },
    ],
  },
  {
    key: 'editor.minimap.enabled',
    title: 'Minimap',
    text: 'The file in small at the right edge',
    control: 'switch',
  },
  {
    key: 'editor.lineOrigins',
    title: 'Line origins',
    text: 'A column that says which turn wrote each line',
    control: 'switch',
  },
];

export const TERMINAL_ROWS: readonly SettingRow[] = [
  {
    key: 'terminal.integrated.fontSize',
    title: 'Terminal font size',
    text: '',
    control: 'number',
    min: 8,
    max: 32,
    unit: 'px',
  },
  {
    key: 'terminal.integrated.scrollback',
    title: 'Lines kept',
    text: 'Older ones are dropped',
    control: 'number',
    min: 100,
    max: 100_000,
    unit: 'lines',
  },
  {
    key: 'terminal.integrated.shell',
    title: 'Shell',
    text: 'For new terminals; empty uses yours',
    control: 'text',
    placeholder: 'Your login shell',
  },
];

export type Parsed = { ok: true; value: number } | { ok: false; problem: string };

const FRACTIONS: ReadonlySet<string> = new Set(['px', 'US$']);

/** Reads a typed number; a refusal says the limits and what stays in use. */
export function parseNumber(
  text: string,
  row: Extract<SettingRow, { control: 'number' }>,
  inUse: number,
): Parsed {
  const trimmed = text.trim();
  const value = Number(trimmed);
  const whole = FRACTIONS.has(row.unit) || Number.isInteger(value);
  if (trimmed !== '' && Number.isFinite(value) && whole && value >= row.min && value <= row.max) {
    return { ok: true, value };
  }
  const range = `${row.min.toLocaleString('en')} to ${row.max.toLocaleString('en')}`;
  return {
    ok: false,
    problem: `Choose a number from ${range}. The last good value, ${inUse}, stays in use.`,
  };
}
