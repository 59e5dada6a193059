import { parseArgs, type ParseArgsConfig } from 'node:util';
import { AppError } from '../../shared/error';

/** A model given on the command line: used for this run, stored nowhere. */
export interface ModelFlags {
  baseUrl: string | null;
  model: string | null;
  apiKey: string | null;
}

export interface RunCommand extends ModelFlags {
  kind: 'run';
  project: string;
  /** `-` = read from standard input. */
  prompt: string;
  /** Files of images that go with the prompt. */
  images: string[];
  mode: 'agent' | 'plan' | 'ask' | null;
  /** Name of an agent, which brings its mode. */
  agent: string | null;
  session: string | null;
  approve: 'ask' | 'edits' | 'all' | 'none';
  maxSteps: number | null;
  json: boolean;
}

export interface ServeCommand extends ModelFlags {
  kind: 'serve';
  project: string | null;
  /** 0 = any free port. */
  port: number;
  open: boolean;
  json: boolean;
}

export interface SessionsCommand {
  kind: 'sessions';
  project: string | null;
  /** Only those whose messages or title hold these words; null: all. */
  search: string | null;
  json: boolean;
}

export interface ExportCommand {
  kind: 'export';
  /** Id of the session, or its first characters. */
  session: string;
  /** Folder that is new or empty. */
  out: string;
  json: boolean;
}

/** Logs of other tools that can be read; a test keeps the list equal to the contract's. */
export const IMPORT_TOOLS = ['claude', 'codex', 'opencode', 'pi'] as const;
export type ImportTool = (typeof IMPORT_TOOLS)[number];

export interface ImportCommand {
  kind: 'import';
  /** Folder of a session or, with `from`, where the tool keeps its logs (null: its usual place). */
  folder: string | null;
  from: ImportTool | null;
  project: string | null;
  json: boolean;
}

export interface ReplayCommand {
  kind: 'replay';
  /** A recording, or a folder written by an export. */
  file: string;
  json: boolean;
}

export interface UndoCommand {
  kind: 'undo';
  /** Id of the session, or its first characters. */
  session: string;
  /** 1-based; null: the last turn of which something is not taken back. */
  turn: number | null;
  /** Null: the session's own folder. */
  project: string | null;
  json: boolean;
}

export interface RedoCommand {
  kind: 'redo';
  session: string;
  project: string | null;
  json: boolean;
}

export interface LogCommand {
  kind: 'log';
  session: string;
  project: string | null;
  json: boolean;
}

export interface BisectCommand {
  kind: 'bisect';
  session: string;
  /** The test: it fails now and did not before the session's changes. */
  command: string;
  timeoutSeconds: number;
  project: string | null;
  json: boolean;
}

export type Command =
  | { kind: 'help'; topic: string }
  | RunCommand
  | ServeCommand
  | SessionsCommand
  | ExportCommand
  | ImportCommand
  | ReplayCommand
  | UndoCommand
  | RedoCommand
  | LogCommand
  | BisectCommand;

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = Record<string, string | boolean | string[] | undefined>;

const MODEL_OPTIONS = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  'api-key': { type: 'string' },
} as const;
const COMMON_OPTIONS = {
  project: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const OPTIONS: Readonly<Record<string, Options>> = {
  run: {
    ...COMMON_OPTIONS,
    ...MODEL_OPTIONS,
    prompt: { type: 'string' },
    image: { type: 'string', multiple: true },
    mode: { type: 'string' },
    agent: { type: 'string' },
    session: { type: 'string' },
    approve: { type: 'string' },
    'max-steps': { type: 'string' },
    trust: { type: 'boolean' },
  },
  serve: {
    ...COMMON_OPTIONS,
    ...MODEL_OPTIONS,
    port: { type: 'string' },
    'no-open': { type: 'boolean' },
    trust: { type: 'boolean' },
  },
  sessions: { ...COMMON_OPTIONS, search: { type: 'string' } },
  export: { out: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  import: { ...COMMON_OPTIONS, from: { type: 'string' } },
  replay: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  undo: { ...COMMON_OPTIONS, session: { type: 'string' }, turn: { type: 'string' } },
  redo: { ...COMMON_OPTIONS, session: { type: 'string' } },
  log: { ...COMMON_OPTIONS, session: { type: 'string' } },
  bisect: {
    ...COMMON_OPTIONS,
    session: { type: 'string' },
    command: { type: 'string' },
    timeout: { type: 'string' },
  },
};

/** Commands that take one argument without a name, and what it is called. */
const ARGUMENT: Readonly<Record<string, string>> = { export: 'ID', import: 'DIR', replay: 'FILE' };

const usage = (message: string, topic: string | null): AppError =>
  new AppError('bad_argument', message, { hint: `See: lathe ${topic === null ? '' : `${topic} `}--help` });

/**
 * @param argv without node and script
 * @throws AppError `bad_argument` with one line that says what is wrong
 */
export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  const known = Object.keys(OPTIONS);
  if (name === undefined) throw usage(`No command given. There are: ${known.join(', ')}.`, null);
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (!options) throw usage(`There is no command "${name}". There are: ${known.join(', ')}.`, null);
  const { values, argument } = readOptions(name, options, rest);
  if (values['help'] === true) return { kind: 'help', topic: name };
  if (name === 'run') return runCommand(values);
  if (name === 'serve') return serveCommand(values);
  if (name === 'replay') return { kind: 'replay', file: argument, json: values['json'] === true };
  if (name === 'export') return exportCommand(values, argument);
  if (name === 'import') return importCommand(values, argument);
  if (name === 'undo') {
    const turn = wholeNumber(values, 'turn', 1, 999_999, 'undo');
    return { kind: 'undo', turn, ...sessionFlags(values, 'undo') };
  }
  if (name === 'bisect') return bisectCommand(values);
  if (name === 'redo' || name === 'log') return { kind: name, ...sessionFlags(values, name) };
  return {
    kind: 'sessions',
    project: text(values, 'project'),
    search: text(values, 'search'),
    json: values['json'] === true,
  };
}

function readOptions(name: string, options: Options, args: string[]): { values: Values; argument: string } {
  const wanted = ARGUMENT[name];
  const { values, positionals } = parsed(name, options, args, wanted !== undefined);
  if (wanted === undefined || values['help'] === true) return { values, argument: '' };
  const [argument, extra] = positionals;
  // A tool's logs have a usual place.
  if (argument === undefined && values['from'] !== undefined) return { values, argument: '' };
  if (argument === undefined) throw usage(`${name} needs ${wanted}.`, name);
  if (extra !== undefined) throw usage(`${name} takes one ${wanted}; "${extra}" is one too many.`, name);
  return { values, argument };
}

function parsed(
  name: string,
  options: Options,
  args: string[],
  allowPositionals: boolean,
): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals });
    return { values: values as Values, positionals };
  } catch (error) {
    // Node's first sentence says what is wrong; the others explain its own syntax.
    const [first = ''] = (error as Error).message.split(/\. |\n/, 1);
    throw usage(`${first.replace(/\.$/, '')}.`, name);
  }
}

const text = (values: Values, name: string): string | null => {
  const value = values[name];
  return typeof value === 'string' ? value : null;
};

function oneOf<const T extends string>(
  values: Values,
  name: string,
  allowed: readonly T[],
  topic: string,
): T | null {
  const given = text(values, name);
  if (given === null) return null;
  const found = allowed.find((value) => value === given);
  if (found === undefined) throw usage(`--${name} is one of ${allowed.join(', ')}, not "${given}".`, topic);
  return found;
}

function wholeNumber(
  values: Values,
  name: string,
  least: number,
  most: number,
  topic: string,
): number | null {
  const given = text(values, name);
  if (given === null) return null;
  const number = /^\d{1,6}$/.test(given) ? Number(given) : NaN;
  if (number >= least && number <= most) return number;
  throw usage(`--${name} is a number from ${least} to ${most}, not "${given}".`, topic);
}

function modelFlags(values: Values, topic: string): ModelFlags {
  const flags = {
    baseUrl: text(values, 'base-url'),
    model: text(values, 'model'),
    apiKey: text(values, 'api-key'),
  };
  if (flags.baseUrl !== null && !isHttp(flags.baseUrl)) {
    throw usage(`--base-url is an http or https address, not "${flags.baseUrl}".`, topic);
  }
  if (flags.baseUrl !== null && flags.model === null) throw usage('--base-url needs --model.', topic);
  if (flags.apiKey !== null && flags.baseUrl === null) throw usage('--api-key needs --base-url.', topic);
  return flags;
}

const isHttp = (address: string): boolean => ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '');

function runCommand(values: Values): RunCommand {
  const { image = [] } = values;
  const images = Array.isArray(image) ? image : [];
  const prompt = text(values, 'prompt') ?? (images.length > 0 ? '' : null);
  if (prompt === null || (prompt.trim() === '' && images.length === 0))
    throw usage('run needs --prompt TEXT (or --prompt - to read it).', 'run');
  return {
    kind: 'run',
    prompt,
    images,
    project: text(values, 'project') ?? '.',
    agent: text(values, 'agent'),
    mode: oneOf(values, 'mode', ['agent', 'plan', 'ask'], 'run'),
    session: text(values, 'session'),
    approve: oneOf(values, 'approve', ['ask', 'edits', 'all', 'none'], 'run') ?? 'ask',
    maxSteps: wholeNumber(values, 'max-steps', 1, 100_000, 'run'),
    json: values['json'] === true,
    ...modelFlags(values, 'run'),
  };
}

function exportCommand(values: Values, session: string): ExportCommand {
  const out = text(values, 'out');
  if (out === null || out === '') throw usage('export needs --out DIR.', 'export');
  return { kind: 'export', session, out, json: values['json'] === true };
}

function sessionFlags(
  values: Values,
  topic: string,
): { session: string; project: string | null; json: boolean } {
  const session = text(values, 'session');
  if (session === null || session === '') throw usage(`${topic} needs --session ID.`, topic);
  return { session, project: text(values, 'project'), json: values['json'] === true };
}

function bisectCommand(values: Values): BisectCommand {
  const command = text(values, 'command');
  if (command === null || command.trim() === '') throw usage('bisect needs --command CMD.', 'bisect');
  const timeoutSeconds = wholeNumber(values, 'timeout', 1, 3600, 'bisect') ?? 300;
  return { kind: 'bisect', command, timeoutSeconds, ...sessionFlags(values, 'bisect') };
}

function importCommand(values: Values, argument: string): ImportCommand {
  return {
    kind: 'import',
    folder: argument === '' ? null : argument,
    from: oneOf(values, 'from', IMPORT_TOOLS, 'import'),
    project: text(values, 'project'),
    json: values['json'] === true,
  };
}

function serveCommand(values: Values): ServeCommand {
  const flags = modelFlags(values, 'serve');
  if (flags.model !== null && flags.baseUrl === null) throw usage('--model needs --base-url.', 'serve');
  return {
    kind: 'serve',
    project: text(values, 'project'),
    port: wholeNumber(values, 'port', 0, 65_535, 'serve') ?? 0,
    open: values['no-open'] !== true,
    json: values['json'] === true,
    ...flags,
  };
}
