import { DiffEditor, type MonacoDiffEditor } from '@monaco-editor/react';
import { useEffect, useMemo, useState } from 'react';
import { settingsStore } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { codeFont } from './code-view';
import { inputSince } from './input-clock';
import { codeOptions } from './monaco/options';
import { monaco } from './monaco/setup';
import { THEME } from './monaco/theme';
import type { DiffTab } from './tabs';
import { createTextModel } from './text-model';

/** Both texts as models of their own, gone with the view. */
function useModels({ path, original, modified, live }: DiffTab) {
  const models = useMemo(
    () =>
      (live ? [original] : [original, modified]).map((text) => createTextModel(monaco, path, text, false)),
    [path, original, modified, live],
  );
  useEffect(
    // The widget lets go of its models first: it complains about models that vanish under it.
    () => () => void setTimeout(() => models.forEach((model) => model.dispose()), 0),
    [models],
  );
  return models;
}

/**
 * What each side is called for screen readers. The widget's own options for that are emptied again by its first layout and
 * by every change between side by side and inline, so the names are put back whenever they went.
 */
function useSideNames(widget: MonacoDiffEditor | null, { path, sides }: DiffTab): void {
  useEffect(() => {
    if (!widget) return undefined;
    const codes = [widget.getOriginalEditor(), widget.getModifiedEditor()];
    const attached = codes.map((code, at) => {
      const ariaLabel = `${sides[at]}: ${path}`;
      const name = (): void => {
        if (code.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel)
          code.updateOptions({ ariaLabel });
      };
      name();
      return code.onDidChangeConfiguration(name);
    });
    return () => attached.forEach((part) => part.dispose());
  }, [widget, path, sides]);
}

/** Takes the focus once for each time the comparison was asked for, unless the user went on meanwhile. */
function useFocusWhenAsked(widget: MonacoDiffEditor | null, askedAt: number | undefined): void {
  useEffect(() => {
    if (widget && askedAt !== undefined && !inputSince(askedAt)) widget.getModifiedEditor().focus();
  }, [widget, askedAt]);
}

/** Leaving the text saves it where that is wanted. */
function useLeave(widget: MonacoDiffEditor | null, live: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (!widget || !live) return undefined;
    const attached = widget.getModifiedEditor().onDidBlurEditorWidget(onLeave);
    return () => attached.dispose();
  }, [widget, live, onLeave]);
}

export interface DiffViewProps {
  tab: DiffTab;
  /** Address of the document on the right side of a live tab; '' otherwise. */
  uri: string;
  onLeave: () => void;
}

/** Two texts side by side, below each other where there is no room; the right side of a live tab can be edited. */
export function DiffView({ tab, uri, onLeave }: DiffViewProps) {
  const settings = useStore(settingsStore, (state) => state.values);
  const [left, right] = useModels(tab);
  const [widget, setWidget] = useState<MonacoDiffEditor | null>(null);
  useFocusWhenAsked(widget, tab.askedAt);
  useSideNames(widget, tab);
  useLeave(widget, tab.live, onLeave);
  const options = useMemo(
    () => ({
      ...codeOptions(settings, codeFont()),
      readOnly: !tab.live,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderSideBySideInlineBreakpoint: 640,
      renderOverviewRuler: false,
      hideUnchangedRegions: { enabled: true },
      renderIndicators: true,
    }),
    [settings, tab.live],
  );
  return (
    <div className="editor-body-fill editor-code">
      <DiffEditor
        original={tab.original}
        modified={tab.modified}
        language={left?.getLanguageId() ?? 'plaintext'}
        originalModelPath={left?.uri.toString() ?? ''}
        modifiedModelPath={tab.live ? uri : (right?.uri.toString() ?? '')}
        keepCurrentOriginalModel
        keepCurrentModifiedModel
        theme={THEME}
        options={options}
        onMount={setWidget}
        loading={null}
      />
    </div>
  );
}
