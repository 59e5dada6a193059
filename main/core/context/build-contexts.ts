import type { Logger } from '../log/logger';
import type { SettingsService } from '../settings/settings-service';
import type { Store } from '../store/types';
import { ContextDesk } from './context-desk';
import type { FlushFacts } from './context-port';
import { RuleBook } from './rules/rule-book';
import { NO_RULES } from './rules/rule-desk';
import { SessionRules } from './rules/session-rules';
import { TokenCalibration } from './token-calibration';

export interface ContextParts {
  store: Store;
  settings: SettingsService;
  log: Logger;
  dataDir: string;
  newId(): string;
  /** Real path of the open project; null without one. */
  root(): string | null;
  flushFacts: FlushFacts;
}

export interface Contexts {
  desk: ContextDesk;
  /** The rules of the open project; null without one. */
  book(): RuleBook | null;
}

/** Contexts of sessions and the rules of projects, wired to the store and the settings. */
export function buildContexts({
  store,
  settings,
  log,
  dataDir,
  newId,
  root,
  flushFacts,
}: ContextParts): Contexts {
  const books = new Map<string, RuleBook>();
  const book = (): RuleBook | null => {
    const projectRoot = root();
    if (projectRoot === null) return null;
    const known = books.get(projectRoot);
    if (known) return known;
    const made = new RuleBook(
      () => ({ projectRoot, dataDir, userFiles: settings.get('chat.rules.userFiles') }),
      () => settings.get('chat.useAgentsMdFile'),
    );
    books.set(projectRoot, made);
    return made;
  };
  const desk = new ContextDesk({
    store: store.context,
    calibration: new TokenCalibration(store.state),
    rules: () => {
      const found = book();
      return found ? new SessionRules(found) : NO_RULES;
    },
    flushFacts,
    newId,
    onError: (what, error) => log.warn(what, { error: String(error) }),
  });
  return { desk, book };
}
