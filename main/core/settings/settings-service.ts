import { mkdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { Settings, type SettingKey, type SettingsState } from '../../../shared/contract/settings';
import { AppError } from '../../../shared/error';
import type { Logger } from '../log/logger';
import { allowedValues, isSettingKey } from './allowed-values';
import { replaceFile } from './replace-file';
import {
  loadLayer,
  mergeLayers,
  parseProjectSettings,
  parseSettings,
  readSettingsText,
  syntaxProblem,
} from './settings-file';

const RELOAD_DELAY_MS = 50;

export interface SettingsService {
  get<K extends SettingKey>(key: K): Settings[K];
  state(): SettingsState;
  /**
   * Writes one key to the user's file, keeping comments; `null` removes it.
   *
   * @throws AppError `bad_argument` for an unknown key or a value that isn't allowed, `conflict` when the file has a
   *   syntax error, `disk_full`, `io_failed`
   */
  set(key: string, value: unknown): Promise<SettingsState>;
  /** Layers the settings of this project on top; null takes them away. */
  setProject(root: string | null): void;
  /** Reads the files again; listeners hear of it when something changed. For `.lathe/settings.jsonc` of the project. */
  reload(): void;
  onChange(listener: (state: SettingsState) => void): () => void;
  close(): void;
}

/** What is wrong in files beside the settings that people write by hand too: the rules. */
export type OtherProblems = (projectRoot: string | null) => string[];

export interface SettingsServiceOptions {
  path: string;
  logger: Logger;
  /** Asked whenever a file of the same kind beside `path` changes, the project changes, or on `reload`. */
  otherProblems?: OtherProblems;
}

function checkedValue(key: string, value: unknown): unknown {
  if (!isSettingKey(key)) {
    throw new AppError('bad_argument', `There is no setting "${key}".`, {
      hint: 'Pick one from the settings page.',
    });
  }
  if (value === null || value === undefined) return undefined;
  const parsed = Settings.shape[key].safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_argument', `"${key}" can't be set to this value.`, {
    hint: `Allowed is ${allowedValues(key)}.`,
    detail: { key },
  });
}

/** The text with one key changed; a text that can't be parsed is left for its author to repair. */
function editedText(path: string, text: string, key: string, value: unknown): string {
  const errors: ParseError[] = [];
  if (text.trim() !== '') parse(text, errors, { allowTrailingComma: true });
  const problem = syntaxProblem(path, text, errors);
  if (problem !== null) {
    throw new AppError('conflict', `The setting was not saved: ${problem}`, {
      hint: 'Repair the file by hand, then try again.',
      detail: { path },
    });
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const source = text.trim() === '' ? `{${eol}}${eol}` : text;
  return applyEdits(
    source,
    modify(source, [key], value, { formattingOptions: { insertSpaces: true, tabSize: 2, eol } }),
  );
}

class FileSettings implements SettingsService {
  readonly #path: string;
  readonly #logger: Logger;
  readonly #otherProblems: OtherProblems;
  readonly #listeners = new Set<(state: SettingsState) => void>();
  #projectRoot: string | null = null;
  #state: SettingsState;
  #writes: Promise<unknown> = Promise.resolve();
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor({ path, logger, otherProblems }: SettingsServiceOptions) {
    this.#path = path;
    this.#logger = logger;
    this.#otherProblems = otherProblems ?? (() => []);
    this.#state = this.#load();
    this.#watch();
  }

  get<K extends SettingKey>(key: K): Settings[K] {
    return this.#state.values[key];
  }

  state(): SettingsState {
    return this.#state;
  }

  set(key: string, value: unknown): Promise<SettingsState> {
    const result = this.#writes.then(() => this.#write(key, checkedValue(key, value)));
    this.#writes = result.catch(() => undefined);
    return result;
  }

  async #write(key: string, value: unknown): Promise<SettingsState> {
    const { text, problem } = readSettingsText(this.#path);
    if (problem !== null) throw new AppError('io_failed', `The setting was not saved: ${problem}`);
    const mode = statSync(this.#path, { throwIfNoEntry: false })?.mode ?? 0o600;
    await replaceFile(this.#path, editedText(this.#path, text ?? '', key, value), mode & 0o777);
    this.reload();
    return this.#state;
  }

  setProject(root: string | null): void {
    this.#projectRoot = root;
    this.reload();
  }

  #load(): SettingsState {
    const layers = [loadLayer(this.#path, parseSettings)];
    if (this.#projectRoot !== null) {
      layers.push(loadLayer(join(this.#projectRoot, '.lathe', 'settings.jsonc'), parseProjectSettings));
    }
    return {
      values: mergeLayers(layers),
      path: this.#path,
      problems: [...layers.flatMap((layer) => layer.problems), ...this.#otherProblems(this.#projectRoot)],
    };
  }

  reload(): void {
    const next = this.#load();
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return;
    this.#state = next;
    for (const listener of [...this.#listeners]) listener(next);
  }

  /** Watches the folder, as editors replace files instead of writing into them. */
  #watch(): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      this.#watcher = watch(dirname(this.#path), { persistent: false }, (_event, name) => {
        if (name === null || name.endsWith(extname(this.#path))) this.#reloadSoon();
      });
      this.#watcher.on('error', (error) => {
        this.#logger.warn('The settings file is not watched any more.', { error });
      });
    } catch (error) {
      this.#logger.warn('The settings file can not be watched.', { error });
    }
  }

  #reloadSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.reload();
    }, RELOAD_DELAY_MS);
  }

  onChange(listener: (state: SettingsState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#watcher?.close();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}

/**
 * Settings in layers: defaults, then the user's file, then the project's (looks and editing only). Whatever is wrong
 * with a file is in `state().problems`; the values are always usable.
 *
 * @param options.path absolute path of the user's file, `<LATHE_HOME>/settings.jsonc`
 */
export function createSettingsService(options: SettingsServiceOptions): SettingsService {
  return new FileSettings(options);
}
