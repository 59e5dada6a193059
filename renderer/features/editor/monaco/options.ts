import type { editor } from 'monaco-editor';
import type { Settings } from '../../../../shared/contract/settings';

/** Line height by font size: 20 px at 13 px, as in the rest of the window. */
const lineHeight = (fontSize: number): number => Math.round(fontSize * 1.54);

type EditorSettings = Pick<
  Settings,
  | 'editor.fontSize'
  | 'editor.fontFamily'
  | 'editor.tabSize'
  | 'editor.wordWrap'
  | 'editor.minimap.enabled'
  | 'workbench.density'
  | 'workbench.reduceMotion'
>;

/** A size that the user has not set follows the window's density. */
function fontSize(settings: EditorSettings): number {
  const size = settings['editor.fontSize'];
  return size === 13 && settings['workbench.density'] === 'compact' ? 12 : size;
}

/**
 * Options of code on screen, from the settings.
 *
 * @param codeFont the window's own font stack for code, used when no family is set
 */
export function codeOptions(
  settings: EditorSettings,
  codeFont: string,
): editor.IEditorOptions & editor.IGlobalEditorOptions {
  const size = fontSize(settings);
  const still = settings['workbench.reduceMotion'];
  return {
    fontSize: size,
    lineHeight: lineHeight(size),
    fontFamily: settings['editor.fontFamily'] === '' ? codeFont : settings['editor.fontFamily'],
    fontLigatures: false,
    tabSize: settings['editor.tabSize'],
    detectIndentation: true,
    wordWrap: settings['editor.wordWrap'],
    minimap: { enabled: settings['editor.minimap.enabled'], renderCharacters: false },
    // Characters that look like others or can't be seen are marked, in code and in comments.
    unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true },
    unusualLineTerminators: 'off',
    renderFinalNewline: 'on',
    smoothScrolling: !still,
    cursorBlinking: still ? 'solid' : 'blink',
    cursorSmoothCaretAnimation: 'off',
    scrollBeyondLastLine: true,
    padding: { top: 2, bottom: 4 },
    glyphMargin: false,
    folding: true,
    showFoldingControls: 'mouseover',
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 14,
    renderLineHighlight: 'line',
    renderLineHighlightOnlyWhenFocus: true,
    guides: { indentation: true, bracketPairs: false },
    bracketPairColorization: { enabled: false },
    stickyScroll: { enabled: false },
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    fixedOverflowWidgets: true,
    links: false,
    contextmenu: true,
    dropIntoEditor: { enabled: false },
  };
}

/** A file of many megabytes is shown as it is: nothing is coloured, wrapped, folded or searched for words. */
export const PLAIN_OPTIONS: editor.IEditorOptions = {
  wordWrap: 'off',
  minimap: { enabled: false },
  folding: false,
  occurrencesHighlight: 'off',
  selectionHighlight: false,
  matchBrackets: 'never',
  renderWhitespace: 'none',
  unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
  stopRenderingLineAfter: 10_000,
};
