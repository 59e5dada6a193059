declare module 'monaco-editor/languages/definitions/*' {
  import type { languages } from 'monaco-editor';

  export const language: languages.IMonarchLanguage;
}
