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
function useModels({ path, original, modified }: DiffTab) {
  const models = useMemo(
    () => [original, modified].map((text) => createTextModel(monaco, path, text, false)),
    [path, original, modified],
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

/** Two texts side by side, below each other where there is no room; read-only. */
export function DiffView({ tab }: { tab: DiffTab }) {
  const settings = useStore(settingsStore, (state) => state.values);
  const [left, right] = useModels(tab);
  const [widget, setWidget] = useState<MonacoDiffEditor | null>(null);
  useFocusWhenAsked(widget, tab.askedAt);
  useSideNames(widget, tab);
  const options = useMemo(
    () => ({
      ...codeOptions(settings, codeFont()),
      readOnly: true,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderSideBySideInlineBreakpoint: 640,
      renderOverviewRuler: false,
      hideUnchangedRegions: { enabled: true },
      renderIndicators: true,
    }),
    [settings],
  );
  return (
    <div className="editor-body-fill editor-code">
      <DiffEditor
        original={tab.original}
        modified={tab.modified}
        language={left?.getLanguageId() ?? 'plaintext'}
        originalModelPath={left?.uri.toString() ?? ''}
        modifiedModelPath={right?.uri.toString() ?? ''}
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
