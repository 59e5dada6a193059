import type { languages } from 'monaco-editor';

type Grammar = languages.IMonarchLanguage;

/** A name before a parenthesis is a function's; Monaco's grammars colour all names alike. */
const CALL: languages.IMonarchLanguageRule = [
  /#?[a-z_$][\w$]*(?=\()/,
  { cases: { '@keywords': 'keyword', '@default': 'function' } },
];
/** `MAX_WAIT_MS` is a constant, not a type. */
const CONSTANT: languages.IMonarchLanguageRule = [/[A-Z][A-Z0-9]*_[A-Z0-9_]*(?![\w$])/, 'identifier'];

interface Amended {
  /** The state of the grammar in which names are met. */
  state: string;
  rules: readonly languages.IMonarchLanguageRule[];
  load: () => Promise<{ language: Grammar }>;
}

const AMENDED: Readonly<Record<string, Amended>> = {
  typescript: {
    state: 'common',
    rules: [CALL, CONSTANT],
    load: () => import('monaco-editor/languages/definitions/typescript/typescript'),
  },
  javascript: {
    state: 'common',
    rules: [CALL, CONSTANT],
    load: () => import('monaco-editor/languages/definitions/javascript/javascript'),
  },
  python: {
    state: 'root',
    rules: [CALL],
    load: () => import('monaco-editor/languages/definitions/python/python'),
  },
  go: { state: 'root', rules: [CALL], load: () => import('monaco-editor/languages/definitions/go/go') },
  rust: { state: 'root', rules: [CALL], load: () => import('monaco-editor/languages/definitions/rust/rust') },
  java: { state: 'root', rules: [CALL], load: () => import('monaco-editor/languages/definitions/java/java') },
};

function amend(grammar: Grammar, { state, rules }: Amended): Grammar {
  const known = grammar.tokenizer[state];
  if (!known) return grammar;
  return { ...grammar, tokenizer: { ...grammar.tokenizer, [state]: [...rules, ...known] } };
}

/** Lets the grammars of the usual languages tell functions and constants from other names. */
export function amendGrammars(register: typeof languages.registerTokensProviderFactory): void {
  for (const [id, amended] of Object.entries(AMENDED)) {
    register(id, { create: async () => amend((await amended.load()).language, amended) });
  }
}
