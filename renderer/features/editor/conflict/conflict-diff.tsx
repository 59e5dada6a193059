import { DiffEditor, type MonacoDiffEditor } from '@monaco-editor/react';
import type * as Monaco from 'monaco-editor';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ConflictView } from '../../../../shared/model/change';
import { settingsStore } from '../../../lib/settings-store';
import { useStore } from '../../../lib/store';
import { codeFont } from '../code-view';
import { codeOptions } from '../monaco/options';
import { monaco } from '../monaco/setup';
import { THEME } from '../monaco/theme';
import { createTextModel, textOf } from '../text-model';
import { draftOf, keepDraft, type ConflictDraft } from './conflict-drafts';
import {
  chosenLines,
  resolvedText,
  type Choice,
  type Place,
  type Region,
  type Segment,
} from './conflict-text';

type Model = Monaco.editor.ITextModel;

/** The resolved text while it is being edited. */
export interface ResultEditor {
  text(): string;
  /** Puts a choice's lines where the region's lines are now; what was edited elsewhere stays. */
  choose(at: number, region: Region, choice: Choice): void;
  reveal(at: number): void;
}

const SIDES = ['Now (with later changes)', 'After undo'] as const;

/** A region as a range that follows edits: whole lines with the break behind them. */
function rangeOf(model: Model, { line, lines }: Place): Monaco.IRange {
  return model.validateRange({
    startLineNumber: line,
    startColumn: 1,
    endLineNumber: line + lines,
    endColumn: 1,
  });
}

/** What is typed at a region's beginning is part of it; the line after it is not. */
const placeOptions = (): Monaco.editor.IModelDecorationOptions => ({
  stickiness: monaco.editor.TrackedRangeStickiness.GrowsOnlyWhenTypingBefore,
});

/** Follows the regions through edits of the text. */
function trackRegions(model: Model, places: readonly Place[]): string[] {
  return model.deltaDecorations(
    [],
    places.map((place) => ({ range: rangeOf(model, place), options: placeOptions() })),
  );
}

function replaceRegion(model: Model, ids: string[], at: number, lines: readonly string[]): void {
  const range = model.getDecorationRange(ids[at] ?? '');
  if (!range) return;
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  model.pushStackElement();
  model.pushEditOperations([], [{ range, text, forceMoveMarkers: true }], () => null);
  model.pushStackElement();
  const place = { line: range.startLineNumber, lines: lines.length };
  const next = { range: rangeOf(model, place), options: placeOptions() };
  const [fresh = ''] = model.deltaDecorations([ids[at] ?? ''], [next]);
  ids[at] = fresh;
}

/** Both models. The result gets a line break at its end while it is edited, so that every region ends with one. */
function useModels(view: ConflictView, segments: readonly Segment[], choices: readonly Choice[]) {
  const made = useMemo(() => {
    const { text, added, places } = draftOf(view) ?? fromChoices(segments, choices);
    const left = createTextModel(monaco, view.path, view.current ?? '', false);
    const right = createTextModel(monaco, view.path, text, false);
    return { left, right, added, ids: trackRegions(right, places) };
  }, [view, segments, choices]);
  useEffect(
    // The widget lets go of its models first: it complains about models that vanish under it.
    () => () =>
      void setTimeout(() => {
        made.left.dispose();
        made.right.dispose();
      }, 0),
    [made],
  );
  return made;
}

function fromChoices(
  segments: readonly Segment[],
  choices: readonly Choice[],
): Omit<ConflictDraft, 'choices'> {
  const { text, places } = resolvedText(segments, choices);
  const added = !text.endsWith('\n');
  return { text: added ? `${text}\n` : text, added, places };
}

/** What was made of the conflict is kept when its page goes away. */
function useDraft(
  view: ConflictView,
  { right, added, ids }: ReturnType<typeof useModels>,
  chosen: readonly Choice[],
): void {
  const choices = useRef(chosen);
  useEffect(() => void (choices.current = chosen), [chosen]);
  useEffect(
    () => () => {
      const places = ids.map((id) => placeOf(right.getDecorationRange(id)));
      keepDraft(view, { text: textOf(monaco, right), added, places, choices: choices.current });
    },
    [view, right, added, ids],
  );
}

const placeOf = (range: Monaco.IRange | null): Place =>
  range === null
    ? { line: 1, lines: 0 }
    : { line: range.startLineNumber, lines: range.endLineNumber - range.startLineNumber };

function useSideNames(widget: MonacoDiffEditor | null, path: string): void {
  useEffect(() => {
    if (!widget) return undefined;
    const attached = [widget.getOriginalEditor(), widget.getModifiedEditor()].map((code, at) => {
      const ariaLabel = `${SIDES[at]}: ${path}`;
      const name = (): void => {
        if (code.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel)
          code.updateOptions({ ariaLabel });
      };
      name();
      return code.onDidChangeConfiguration(name);
    });
    return () => attached.forEach((part) => part.dispose());
  }, [widget, path]);
}

interface ConflictDiffProps {
  view: ConflictView;
  segments: readonly Segment[];
  /** What is chosen at first. */
  choices: readonly Choice[];
  /** What is chosen now. */
  chosen: readonly Choice[];
  onReady(result: ResultEditor): void;
}

/** Left the file as it is, read-only; right what will be saved, free to edit. */
export function ConflictDiff({ view, segments, choices, chosen, onReady }: ConflictDiffProps) {
  const settings = useStore(settingsStore, (state) => state.values);
  const models = useModels(view, segments, choices);
  const { left, right, added, ids } = models;
  useDraft(view, models, chosen);
  const [widget, setWidget] = useState<MonacoDiffEditor | null>(null);
  useSideNames(widget, view.path);
  useEffect(() => {
    if (!widget) return;
    const code = widget.getModifiedEditor();
    onReady({
      text: () => {
        const text = textOf(monaco, right);
        return added && text.endsWith('\n') ? text.slice(0, -1) : text;
      },
      choose: (at, region, choice) => replaceRegion(right, ids, at, chosenLines(region, choice)),
      reveal: (at) => {
        const range = right.getDecorationRange(ids[at] ?? '');
        if (!range) return;
        code.setPosition({ lineNumber: range.startLineNumber, column: 1 });
        code.revealRangeInCenterIfOutsideViewport(range);
        code.focus();
      },
    });
  }, [widget, right, ids, added, onReady]);
  const options = useMemo(
    () => ({
      ...codeOptions(settings, codeFont()),
      readOnly: false,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: false,
      renderOverviewRuler: false,
      renderMarginRevertIcon: false,
      hideUnchangedRegions: { enabled: true },
    }),
    [settings],
  );
  return (
    <>
      <div className="editor-sides" aria-hidden="true">
        {SIDES.map((side) => (
          <span key={side}>{side}</span>
        ))}
      </div>
      <div className="editor-body-fill editor-code">
        <DiffEditor
          original={view.current ?? ''}
          modified={right.getValue()}
          language={left.getLanguageId()}
          originalModelPath={left.uri.toString()}
          modifiedModelPath={right.uri.toString()}
          keepCurrentOriginalModel
          keepCurrentModifiedModel
          theme={THEME}
          options={options}
          onMount={setWidget}
          loading={null}
        />
      </div>
    </>
  );
}
