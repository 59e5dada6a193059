import { readFileSync, statSync } from 'node:fs';
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { PROJECT_SETTING_KEYS, Settings, type SettingKey } from '../../../shared/contract/settings';
import { allowedValues, isSettingKey } from './allowed-values';

const MAX_FILE_BYTES = 1_000_000;

/** The valid settings of one file, and one sentence for each thing that is wrong with it. */
export interface SettingsLayer {
  values: Partial<Settings>;
  problems: string[];
}

const EMPTY: SettingsLayer = { values: {}, problems: [] };

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

interface Entry {
  key: string;
  value: unknown;
  line: number;
}

function entriesOf(root: Node, text: string): Entry[] {
  return (root.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    if (!name || !value) return [];
    return [
      { key: String(name.value), value: getNodeValue(value) as unknown, line: lineAt(text, property.offset) },
    ];
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function readEntry(layer: SettingsLayer, path: string, { key, value, line }: Entry): void {
  if (!isSettingKey(key)) {
    layer.problems.push(`${path}, line ${line}: there is no setting "${key}"; it is ignored.`);
    return;
  }
  const parsed = Settings.shape[key].safeParse(value);
  if (parsed.success) Object.assign(layer.values, { [key]: parsed.data });
  else {
    layer.problems.push(
      `${path}, line ${line}: "${key}" can't be ${shown(value)}; allowed is ${allowedValues(key)}. The default is used.`,
    );
  }
}

/** The first syntax error as a sentence, or null. */
export function syntaxProblem(path: string, text: string, errors: readonly ParseError[]): string | null {
  const [first] = errors;
  if (!first) return null;
  return `${path}, line ${lineAt(text, first.offset)}: not valid JSON (${printParseErrorCode(first.error)}).`;
}

/** Reads settings text; what can be read of a broken file still counts. */
export function parseSettings(path: string, text: string, keepKey?: (key: string) => boolean): SettingsLayer {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const layer: SettingsLayer = { values: {}, problems: [] };
  const problem = syntaxProblem(path, text, errors);
  if (problem !== null) layer.problems.push(problem);
  if (!root) return layer;
  if (root.type !== 'object') {
    layer.problems.push(`${path}, line 1: settings are one object { "key": value, … }.`);
    return layer;
  }
  for (const entry of entriesOf(root, text)) {
    if (keepKey === undefined || keepKey(entry.key)) readEntry(layer, path, entry);
  }
  return layer;
}

/** A project may set looks and editing only; all its other keys become one line (sec-A04, sec-A05). */
export function parseProjectSettings(path: string, text: string): SettingsLayer {
  const refused: string[] = [];
  const allowed = new Set<string>(PROJECT_SETTING_KEYS);
  const layer = parseSettings(path, text, (key) => {
    if (allowed.has(key)) return true;
    refused.push(key);
    return false;
  });
  if (refused.length > 0) {
    const names = [...new Set(refused)].map((key) => shown(key)).join(', ');
    layer.problems.push(
      `${path}: a project may set only ${[...allowed].join(', ')}; ignored: ${names.slice(0, 300)}.`,
    );
  }
  return layer;
}

/** Text of a settings file; null when there is none. Anything but a regular file of sensible size is a problem. */
export function readSettingsText(path: string): { text: string | null; problem: string | null } {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts) return { text: null, problem: null };
    if (!facts.isFile()) return { text: null, problem: `${path} is not a file; it is ignored.` };
    if (facts.size > MAX_FILE_BYTES)
      return { text: null, problem: `${path} is larger than 1 MB; it is ignored.` };
    return { text: readFileSync(path, 'utf8').replace(/^\uFEFF/, ''), problem: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { text: null, problem: `${path} can't be read (${reason}); it is ignored.` };
  }
}

/** One file as a layer. */
export function loadLayer(path: string, parse: (path: string, text: string) => SettingsLayer): SettingsLayer {
  const { text, problem } = readSettingsText(path);
  if (problem !== null) return { values: {}, problems: [problem] };
  return text === null ? EMPTY : parse(path, text);
}

export function defaultSettings(): Settings {
  return Settings.parse({});
}

/** Later layers win. */
export function mergeLayers(layers: readonly SettingsLayer[]): Pick<Settings, SettingKey> {
  return Object.assign(defaultSettings(), ...layers.map((layer) => layer.values)) as Settings;
}
