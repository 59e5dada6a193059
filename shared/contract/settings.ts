import { z } from 'zod';
import { Grant } from '../model/approval';
import { PriceTable } from '../model/budget';
import { domain, event, Nothing, request } from './define';

/** Every setting with its default. The file is LATHE_HOME/settings.jsonc, dotted keys as in VS Code. */
export const Settings = z.object({
  'workbench.colorTheme': z.enum(['system', 'dark', 'light', 'contrast']).default('dark'),
  'workbench.density': z.enum(['regular', 'compact']).default('regular'),
  'workbench.reduceMotion': z.boolean().default(false),
  'editor.fontSize': z.number().min(8).max(32).default(13),
  'editor.fontFamily': z.string().max(200).default(''),
  'editor.tabSize': z.int().min(1).max(16).default(2),
  'editor.wordWrap': z.enum(['off', 'on']).default('off'),
  'editor.minimap.enabled': z.boolean().default(false),
  /** A narrow column beside the code says which turn wrote each line. */
  'editor.lineOrigins': z.boolean().default(false),
  'files.autoSave': z.enum(['off', 'afterDelay', 'onFocusChange']).default('off'),
  'files.autoSaveDelay': z.int().min(100).max(60_000).default(1000),
  'terminal.integrated.fontSize': z.number().min(8).max(32).default(12),
  'terminal.integrated.scrollback': z.int().min(100).max(100_000).default(5000),
  'terminal.integrated.shell': z.string().max(500).default(''),
  'chat.subagents.maxParallel': z.int().min(1).max(16).default(4),
  /** US dollars that a session and its subagents may spend together; 0: no limit. */
  'chat.budget.sessionUsd': z.number().min(0).max(100_000).default(0),
  /** Tokens in and out that a session and its subagents may spend together; 0: no limit. */
  'chat.budget.sessionTokens': z.int().min(0).max(1_000_000_000_000).default(0),
  /** Dollars per million tokens of models whose list price is unknown or not what you pay. */
  'chat.budget.prices': PriceTable.default({}),
  'chat.agent.maxRequests': z.int().min(1).max(1000).default(100),
  'chat.requestQueuing.defaultAction': z.enum(['steer', 'queue', 'stop']).default('steer'),
  /** Sessions are named by a model after their first turn; not by one on this machine. */
  'chat.titles.generate': z.boolean().default(true),
  /** Notes of earlier sessions go into the prompt, and the agent can keep and search them. */
  'chat.memory.enabled': z.boolean().default(true),
  /** Before a long conversation is summarised, a model picks facts to remember; `auto`: not one on this machine. */
  'chat.memory.flush': z.enum(['auto', 'always', 'never']).default('auto'),
  'chat.foldFinishedSteps': z.boolean().default(true),
  'chat.notifyWindowOnConfirmation': z.boolean().default(true),
  'chat.useAgentsMdFile': z.boolean().default(true),
  /** Also rules that lie in your home folder: ~/.claude, ~/.codex, ~/.config/opencode and the like. */
  'chat.rules.userFiles': z.boolean().default(true),
  'chat.model.default': z.string().max(300).default(''),
  /** `provider/model` for simple requests of sessions without a model of their own; empty: the default does them. */
  'chat.model.fast': z.string().max(300).default(''),
  /** `provider/model` for complex requests, and after failed calls; empty: the default does them. */
  'chat.model.flagship': z.string().max(300).default(''),
  /** Models that take images where nobody says so: names with `*`, separated by commas; `!` in front of those that don't. */
  'chat.model.sees': z.string().max(5000).default(''),
  /** Requests are sorted before they are worked on: it decides whether tools must be used and which model runs. */
  'chat.classify.enabled': z.boolean().default(true),
  /** Ask a model where words don't decide; `auto`: not when the model runs on this machine. */
  'chat.classify.askModel': z.enum(['auto', 'always', 'never']).default('auto'),
  /** The agent is sent back when it finishes with to-do items open. */
  'chat.agent.todoGate': z.boolean().default(true),
  /** `before`: each edit asks before it is made; `after`: edits inside the project are made unasked and wait for review. */
  'chat.review.mode': z.enum(['before', 'after']).default('before'),
  /** Megabytes of a project's files that are kept as they were before commands run. */
  'chat.changes.maxMegabytes': z.int().min(1).max(100_000).default(512),
  /** Files of a project that are kept as they were before commands run. */
  'chat.changes.maxFiles': z.int().min(100).max(1_000_000).default(50_000),
  /** Megabytes on the disk for former contents of all projects; the oldest make room. */
  'chat.changes.keepMegabytes': z.int().min(10).max(1_000_000).default(1024),
  'chat.approval.timeoutSeconds': z.int().min(5).max(3600).default(300),
  'chat.recording.enabled': z.boolean().default(true),
  /** `provider/model` that writes summaries when the session's own model fails; empty for none. */
  'chat.context.summaryModel': z.string().max(300).default(''),
  'chat.context.defaultWindow': z.int().min(1000).max(10_000_000).default(128_000),
});
export type Settings = z.infer<typeof Settings>;
export type SettingKey = keyof Settings;

/** Keys that a project's `.lathe/settings.jsonc` may set: looks and editing only, nothing that acts. */
export const PROJECT_SETTING_KEYS: readonly SettingKey[] = [
  'editor.tabSize',
  'editor.wordWrap',
  'editor.fontSize',
  'editor.minimap.enabled',
];

export const SettingsState = z.object({
  values: Settings,
  /** Absolute path of the user's file. */
  path: z.string(),
  /** Problems found in the files, each as one sentence with file and line; shown as notices. */
  problems: z.array(z.string()),
});
export type SettingsState = z.infer<typeof SettingsState>;

export const settings = domain('settings', {
  get: request({ input: Nothing, output: SettingsState }),
  /** Writes one key to the user's file, keeping comments. `value: null` removes the key. */
  set: request({ input: z.object({ key: z.string(), value: z.unknown() }), output: SettingsState }),
  changed: event({ params: Nothing, payload: SettingsState }),
  /** Rules of rules.jsonc, built-in protections and grants given in dialogs, in the order they are judged. */
  grants: request({ input: Nothing, output: z.array(Grant) }),
  revokeGrant: request({ input: z.object({ id: z.string() }), output: Nothing }),
});
