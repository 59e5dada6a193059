import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import CssWorker from 'monaco-editor/language/css/css.worker?worker';
import HtmlWorker from 'monaco-editor/language/html/html.worker?worker';
import JsonWorker from 'monaco-editor/language/json/json.worker?worker';
import TsWorker from 'monaco-editor/language/typescript/ts.worker?worker';
import { amendGrammars } from './code-tokens';
import { followTheme } from './theme';

const WORKERS: Readonly<Record<string, new () => Worker>> = {
  css: CssWorker,
  scss: CssWorker,
  less: CssWorker,
  html: HtmlWorker,
  handlebars: HtmlWorker,
  razor: HtmlWorker,
  json: JsonWorker,
  typescript: TsWorker,
  javascript: TsWorker,
};

/**
 * One file alone can't be judged: imports would all count as missing. So the built-in service checks the syntax only.
 */
function quietTypeScript(): void {
  for (const defaults of [monaco.typescript.typescriptDefaults, monaco.typescript.javascriptDefaults]) {
    defaults.setDiagnosticsOptions({
      noSemanticValidation: true,
      noSyntaxValidation: false,
      noSuggestionDiagnostics: true,
    });
    defaults.setCompilerOptions({
      target: monaco.typescript.ScriptTarget.ESNext,
      module: monaco.typescript.ModuleKind.ESNext,
      moduleResolution: monaco.typescript.ModuleResolutionKind.NodeJs,
      jsx: monaco.typescript.JsxEmit.Preserve,
      allowJs: true,
      allowNonTsExtensions: true,
    });
  }
}

/** A schema address in a file must not make the window fetch anything (sec-D07). Comments are usual in settings files. */
function quietJson(): void {
  monaco.json.jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: true,
    trailingCommas: 'ignore',
    enableSchemaRequest: false,
    schemaRequest: 'ignore',
    schemaValidation: 'ignore',
  });
}

globalThis.MonacoEnvironment = {
  getWorker: (_workerId: string, label: string) => new (WORKERS[label] ?? EditorWorker)(),
};
loader.config({ monaco });
quietTypeScript();
quietJson();
amendGrammars(monaco.languages.registerTokensProviderFactory);
followTheme(monaco.editor);

export { monaco };
