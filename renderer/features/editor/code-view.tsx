import { Editor as Monaco, type OnMount } from '@monaco-editor/react';
import type { editor as MonacoEditor } from 'monaco-editor';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../../lib/client-context';
import { settingsStore } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import type { Editor } from './editor';
import { textViewOf, type Reveal, type TextView } from './editor-state';
import { indentLabel } from './file-words';
import { reportCursor } from './follow-status';
import { codeOptions, PLAIN_OPTIONS } from './monaco/options';
import './monaco/setup';
import { inputSince } from './input-clock';
import { OriginBar } from './origins/origin-bar';
import './origins/origins.css';
import { toggleOrigins } from './origins/toggle-origins';
import { useOriginActions, useOriginAnswer, useOriginColumn } from './origins/use-origins';
import { THEME } from './monaco/theme';
import { notePlace, places } from './places';
import { useReviewMarks } from './review-marks';

type Code = MonacoEditor.IStandaloneCodeEditor;

export const codeFont = (): string =>
  getComputedStyle(document.documentElement).getPropertyValue('--font-code').trim();

function useOptions(path: string, view: TextView): MonacoEditor.IStandaloneEditorConstructionOptions {
  const settings = useStore(settingsStore, (state) => state.values);
  const { large, readOnly } = view;
  return useMemo(
    () => ({
      ...codeOptions(settings, codeFont()),
      ...(large ? PLAIN_OPTIONS : {}),
      glyphMargin: settings['editor.lineOrigins'] && !large,
      readOnly,
      readOnlyMessage: {
        value: large ? 'Files of this size are read-only here.' : 'This file is read-only.',
      },
      ariaLabel: path,
    }),
    [settings, large, readOnly, path],
  );
}

function cursorOf(code: Code) {
  const model = code.getModel();
  const position = code.getPosition() ?? { lineNumber: 1, column: 1 };
  const { insertSpaces = true, indentSize = 2 } = model?.getOptions() ?? {};
  const selectedChars = (code.getSelections() ?? []).reduce(
    (sum, selection) => sum + (model?.getValueLengthInRange(selection) ?? 0),
    0,
  );
  const indent = indentLabel(insertSpaces, indentSize);
  return { line: position.lineNumber, column: position.column, selectedChars, indent };
}

/** Where the user was last time, for a file that comes on screen for the first time. */
function goBack(code: Code, path: string): void {
  const place = places.get(path);
  if (!place) return;
  code.setPosition({ lineNumber: place.line, column: place.column });
  code.setScrollTop(place.scrollTop);
}

function goTo(code: Code, { line, column, focus, at }: Reveal): void {
  if (line !== null) {
    const position = code.getModel()?.validatePosition({ lineNumber: line, column });
    if (position) {
      code.setPosition(position);
      code.revealPositionInCenterIfOutsideViewport(position);
    }
  }
  if (focus && !inputSince(at)) code.focus();
}

/** Reports cursor and scroll until the code goes off the screen. */
function follow(code: Code, pathNow: () => string, editor: Editor): () => void {
  let frame = 0;
  const report = (): void => {
    frame = 0;
    if (!code.getModel()) return;
    const facts = cursorOf(code);
    reportCursor(facts);
    notePlace(pathNow(), { line: facts.line, column: facts.column, scrollTop: code.getScrollTop() });
    editor.placeChanged();
  };
  const soon = (): void => {
    frame ||= requestAnimationFrame(report);
  };
  const attached = [
    code.onDidChangeCursorSelection(soon),
    code.onDidScrollChange(soon),
    code.onDidChangeModelOptions(soon),
    code.onDidChangeModel(soon),
    code.onDidBlurEditorWidget(() => editor.leave()),
  ];
  soon();
  return () => {
    cancelAnimationFrame(frame);
    for (const part of attached) part.dispose();
  };
}

/** The code of a text file. Models come and go by their addresses; the widget stays. */
export function CodeView({ editor, path, view }: { editor: Editor; path: string; view: TextView }) {
  const [code, setCode] = useState<Code | null>(null);
  const options = useOptions(path, view);
  const shown = useRef(new Set<string>());
  const pathNow = useRef(path);
  const onMount: OnMount = (mounted) => setCode(mounted);
  useEffect(() => {
    pathNow.current = path;
    if (!code || code.getModel()?.uri.toString() !== view.uri) return;
    if (!shown.current.has(view.uri)) goBack(code, path);
    shown.current.add(view.uri);
    reportCursor(cursorOf(code));
  }, [code, path, view.uri]);
  useEffect(() => {
    if (!code) return undefined;
    return follow(code, () => pathNow.current, editor);
  }, [code, editor]);
  useReveal(code, path, view);
  useReviewMarks(code, path, view);
  const origin = useOrigins(code, path, view);
  return (
    <>
      {origin.answer && <OriginBar answer={origin.answer} onDismiss={origin.dismiss} />}
      <div className="editor-body-fill editor-code">
        <Monaco
          path={view.uri}
          theme={THEME}
          options={options}
          onMount={onMount}
          keepCurrentModel
          loading={null}
        />
      </div>
    </>
  );
}

/** Which turn wrote which line: a column when it is wanted, and an answer for one line. */
function useOrigins(code: Code | null, path: string, { uri }: TextView) {
  const client = useClient();
  const toggle = useCallback(
    () => void toggleOrigins(client).catch((error: unknown) => toastError(error)),
    [client],
  );
  useOriginColumn(code, { path, uri });
  useOriginActions(code, toggle);
  return useOriginAnswer(code, { path, uri });
}

function useReveal(code: Code | null, path: string, view: TextView): void {
  const done = useRef<Reveal | null>(null);
  const { reveal, uri } = view;
  useEffect(() => {
    if (!code || !reveal || done.current === reveal || code.getModel()?.uri.toString() !== uri) return;
    done.current = reveal;
    // Another file may have come forward in the meantime.
    if (textViewOf(path)) goTo(code, reveal);
  }, [code, reveal, uri, path]);
}
