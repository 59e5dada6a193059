import { DiffEditor } from '@monaco-editor/react';
import { useEffect, useMemo } from 'react';
import { settingsStore } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { codeFont } from './code-view';
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

/** Two texts side by side, below each other where there is no room; read-only. */
export function DiffView({ tab }: { tab: DiffTab }) {
  const settings = useStore(settingsStore, (state) => state.values);
  const [left, right] = useModels(tab);
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
        loading={null}
      />
    </div>
  );
}
