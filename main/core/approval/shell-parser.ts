import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { Parser } from 'web-tree-sitter';

const resolve = createRequire(import.meta.url).resolve;

let loading: Promise<Parser> | null = null;

async function load(): Promise<Parser> {
  // The grammar's tables are huge functions: optimising them in the background took 500 MB for seconds, to save microseconds.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  const [{ Parser, Language }, runtime, grammar] = await Promise.all([
    import('web-tree-sitter'),
    readFile(resolve('web-tree-sitter/web-tree-sitter.wasm')),
    readFile(resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm')),
  ]);
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

/**
 * The bash grammar, loaded on first use and kept: about 30 ms once, about 0.1 ms a parse afterwards. Call it early and
 * ignore the result to warm it up. A failed load is not kept: the next call tries again.
 */
export function shellParser(): Promise<Parser> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
