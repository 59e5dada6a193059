import type * as Monaco from 'monaco-editor';
import { languageName, languageOf } from './language-of';
import { lineEdits, toTextEdits, type LineEdit } from './line-edits';

type Model = Monaco.editor.ITextModel;

let models = 0;

/**
 * A model of its own address: a file that is closed, opened again or renamed never meets the model of before. The path
 * stays in the address because language services look at the extension.
 */
export function createTextModel(monaco: typeof Monaco, path: string, text: string, plain: boolean): Model {
  models += 1;
  const uri = monaco.Uri.from({ scheme: 'lathe', authority: `f${models}`, path: `/${path}` });
  const language = plain ? 'plaintext' : languageOf(monaco.languages.getLanguages(), path);
  const model = monaco.editor.createModel(text, language, uri);
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  return model;
}

/** Gives a renamed file the language of its new name; answers what that is called. */
export function followName(monaco: typeof Monaco, model: Model, path: string): string {
  const languages = monaco.languages.getLanguages();
  const id = languageOf(languages, path);
  if (id !== model.getLanguageId()) monaco.editor.setModelLanguage(model, id);
  return languageName(languages, id);
}

export const languageNameOf = (monaco: typeof Monaco, model: Model): string =>
  languageName(monaco.languages.getLanguages(), model.getLanguageId());

/**
 * Makes the model's text `text` by the smallest edits, as one step of the undo stack: cursors, scroll and folds away
 * from the change stay where they are (case-D02).
 */
export function replaceText(monaco: typeof Monaco, model: Model, text: string): void {
  makeEdits(monaco, model, lineEdits(model.getLinesContent().join('\n'), text));
}

/** Replaces lines as one step of the undo stack; everything else stays where it is on screen. */
export function makeEdits(monaco: typeof Monaco, model: Model, edits: readonly LineEdit[]): void {
  if (edits.length === 0) return;
  const lineOf = (line: number): string => model.getLineContent(line);
  const operations = edits.flatMap((edit) => toTextEdits(edit, model.getLineCount(), lineOf));
  keepInPlace(monaco, model, () => {
    model.pushStackElement();
    model.pushEditOperations([], operations, () => null);
    model.pushStackElement();
  });
}

/** Makes a change while each editor goes on showing the same lines in the same places. */
function keepInPlace(monaco: typeof Monaco, model: Model, change: () => void): void {
  const shown = monaco.editor.getEditors().filter((code) => code.getModel() === model);
  const anchors = shown.flatMap((code) => {
    const [visible] = code.getVisibleRanges();
    if (!visible) return [];
    const caret = code.getPosition()?.lineNumber ?? 0;
    const isInSight = caret >= visible.startLineNumber && caret <= visible.endLineNumber;
    const line = isInSight ? caret : visible.startLineNumber;
    const range = new monaco.Range(line, 1, line, 1);
    const [mark = ''] = model.deltaDecorations([], [{ range, options: {} }]);
    return [{ code, mark, offset: code.getTopForLineNumber(line) - code.getScrollTop() }];
  });
  change();
  for (const { code, mark, offset } of anchors) {
    // An insertion right before the mark belongs above it.
    const line = model.getDecorationRange(mark)?.endLineNumber;
    if (line !== undefined) code.setScrollTop(code.getTopForLineNumber(line) - offset);
    model.deltaDecorations([mark], []);
  }
}

/** The text with LF line ends, whatever was pasted into it. */
export const textOf = (monaco: typeof Monaco, model: Model): string =>
  model.getValue(monaco.editor.EndOfLinePreference.LF);
