import type { editor } from 'monaco-editor';
import { currentTheme, onThemeChange, themeColor, type ThemeName } from '../../../lib/theme';

/** The one name of the theme made from the tokens; it is defined anew whenever they change. */
export const THEME = 'lathe';

const BASES: Readonly<Record<ThemeName, editor.BuiltinTheme>> = {
  dark: 'vs-dark',
  light: 'vs',
  hc: 'hc-black',
};

/** Token types of Monaco's grammars by the token that colours them. */
const SYNTAX: Readonly<Record<string, string>> = {
  '--s-key': 'keyword storage keyword.json tag metatag operator.sql predefined.sql keyword.flow',
  '--s-str': 'string string.escape string.value.json string.yaml attribute.value regexp string.link',
  '--s-num': 'number constant attribute.value.number attribute.value.unit constant.language number.json',
  '--s-fn': 'function support.function entity.name.function predefined annotation',
  '--s-type':
    'type type.identifier entity.name.type namespace class interface string.key.json attribute.name.html',
  '--s-com': 'comment comment.doc',
  '--s-prop': 'identifier variable delimiter operator property attribute.name string.target',
};

/** Monaco takes six digits in rules, nothing shorter: `#fff` would be refused together with the whole theme. */
const hex = (token: string): string => {
  const digits = themeColor(token).replace('#', '');
  return digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
};

function rules(): editor.ITokenThemeRule[] {
  const syntax = Object.entries(SYNTAX).flatMap(([token, types]) =>
    types.split(' ').map((type) => ({ token: type, foreground: hex(token) })),
  );
  return [
    { token: '', foreground: hex('--s-prop'), background: hex('--bg-canvas') },
    ...syntax,
    { token: 'string.key.json', foreground: hex('--s-type') },
    { token: 'keyword.md', foreground: hex('--s-key'), fontStyle: 'bold' },
    { token: 'strong', fontStyle: 'bold' },
    { token: 'emphasis', fontStyle: 'italic' },
    { token: 'invalid', foreground: hex('--err') },
  ];
}

/** Monaco's colour ids by token; an alpha as two hex digits may follow the token's name. */
const COLORS: Readonly<Record<string, string>> = {
  'editor.background': '--bg-canvas',
  'editor.foreground': '--s-prop',
  'editorGutter.background': '--bg-canvas',
  'editorLineNumber.foreground': '--fg-3',
  'editorLineNumber.activeForeground': '--fg',
  'editorCursor.foreground': '--accent',
  'editor.lineHighlightBackground': '--bg-line',
  'editor.lineHighlightBorder': '--bg-line',
  'editor.selectionBackground': '--bg-sel',
  'editor.inactiveSelectionBackground': '--bg-sel-off',
  'editor.selectionHighlightBackground': '--bg-sel-off',
  'editor.wordHighlightBackground': '--bg-sel-off',
  'editor.wordHighlightStrongBackground': '--bg-sel-off',
  'editor.findMatchBackground': '--agent-ln',
  'editor.findMatchHighlightBackground': '--agent-ln 99',
  'editorIndentGuide.background1': '--line',
  'editorIndentGuide.activeBackground1': '--line-2',
  'editorWhitespace.foreground': '--line-2',
  'editorBracketMatch.background': '--bg-sel-off',
  'editorBracketMatch.border': '--line-ctl',
  'editorBracketHighlight.foreground1': '--s-prop',
  'editorBracketHighlight.foreground2': '--s-prop',
  'editorBracketHighlight.foreground3': '--s-prop',
  'editorWidget.background': '--bg-overlay',
  'editorWidget.foreground': '--fg',
  'editorWidget.border': '--line-2',
  'editorHoverWidget.background': '--bg-overlay',
  'editorHoverWidget.border': '--line-2',
  'editorSuggestWidget.background': '--bg-overlay',
  'editorSuggestWidget.border': '--line-2',
  'editorSuggestWidget.foreground': '--fg',
  'editorSuggestWidget.highlightForeground': '--accent',
  'editorSuggestWidget.selectedBackground': '--bg-sel',
  'editorStickyScroll.background': '--bg-canvas',
  'editorStickyScrollHover.background': '--bg-hover',
  'editorOverviewRuler.border': '--bg-canvas',
  'editorError.foreground': '--err',
  'editorWarning.foreground': '--warn',
  'editorInfo.foreground': '--accent',
  'editorUnicodeHighlight.border': '--warn',
  'diffEditor.insertedLineBackground': '--add-bg',
  'diffEditor.insertedTextBackground': '--add-wd',
  'diffEditor.removedLineBackground': '--del-bg',
  'diffEditor.removedTextBackground': '--del-wd',
  'diffEditor.diagonalFill': '--line',
  'diffEditor.border': '--line',
  'diffEditor.unchangedRegionBackground': '--bg-well',
  'diffEditor.unchangedRegionForeground': '--fg-2',
  'scrollbarSlider.background': '--line-2 99',
  'scrollbarSlider.hoverBackground': '--line-ctl 99',
  'scrollbarSlider.activeBackground': '--line-ctl cc',
  'scrollbar.shadow': '--bg-canvas',
  'minimap.background': '--bg-canvas',
  'input.background': '--bg-well',
  'input.foreground': '--fg',
  'input.border': '--line-ctl',
  'input.placeholderForeground': '--fg-3',
  'inputOption.activeBackground': '--bg-sel',
  'inputOption.activeBorder': '--accent',
  'list.hoverBackground': '--bg-hover',
  'list.activeSelectionBackground': '--bg-sel',
  'list.focusBackground': '--bg-sel',
  'menu.background': '--bg-overlay',
  'menu.foreground': '--fg',
  'menu.border': '--line-2',
  'menu.selectionBackground': '--bg-hover',
  'menu.selectionForeground': '--fg',
  'menu.separatorBackground': '--line',
  'quickInput.background': '--bg-overlay',
  'quickInput.foreground': '--fg',
  'widget.border': '--line-2',
  foreground: '--fg',
  focusBorder: '--focus',
};

function colors(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(COLORS).map(([id, value]) => {
      const [token = '', alpha = ''] = value.split(' ');
      return [id, themeColor(token) + alpha];
    }),
  );
}

function define(monacoEditor: typeof editor): void {
  monacoEditor.defineTheme(THEME, {
    base: BASES[currentTheme()],
    inherit: true,
    rules: rules(),
    colors: colors(),
  });
  monacoEditor.setTheme(THEME);
}

/** Makes Monaco look like the window, now and whenever the window's theme changes. */
export function followTheme(monacoEditor: typeof editor): () => void {
  define(monacoEditor);
  return onThemeChange(() => define(monacoEditor));
}
