import type * as Monaco from 'monaco-editor';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../../lib/client-context';
import { changeFeedOf } from '../../../lib/review/change-feed';
import { useSetting } from '../../../lib/settings-store';
import { useStore } from '../../../lib/store';
import { toastError } from '../../../lib/toast-store';
import { windowStore } from '../../../lib/window-store';
import { editorState } from '../editor-state';
import { monaco } from '../monaco/setup';
import { textOf } from '../text-model';
import { loadOrigins } from './load-origins';
import { createOriginMarks } from './origin-marks';
import { runAt, type OriginRun } from './origin-lines';
import { askOrigin, originAsk } from './origin-store';

type Code = Monaco.editor.IStandaloneCodeEditor;

/** Shows the turn of a run in the chat; false when it was no turn. */
export function showTurn({ set: { turn } }: OriginRun): boolean {
  if (!turn) return false;
  windowStore.activeSession.set(turn.sessionId);
  windowStore.turn.set({ sessionId: turn.sessionId, turnId: turn.turnId });
  return true;
}

const shownText = (code: Code, uri: string) => (): string | null => {
  const model = code.getModel();
  return model?.uri.toString() === uri ? textOf(monaco, model) : null;
};

interface Place {
  path: string;
  uri: string;
}

/** What is on the disk under the text on screen; another one means other lines. */
const useBaseHash = (path: string): string | null =>
  useStore(editorState, ({ files }) => {
    const view = files.get(path);
    return view?.kind === 'text' ? view.sync.baseHash : null;
  });

/** A narrow column that says which turn wrote each line, while the setting is on. */
export function useOriginColumn(code: Code | null, { path, uri }: Place): void {
  const client = useClient();
  const enabled = useSetting('editor.lineOrigins');
  const hash = useBaseHash(path);
  const again = useRef<(() => void) | null>(null);
  useEffect(() => again.current?.(), [hash]);
  useEffect(() => {
    if (!enabled || !code) return undefined;
    const marks = createOriginMarks(code);
    const shown = shownText(code, uri);
    let asked = 0;
    const look = async (): Promise<void> => {
      asked += 1;
      const mine = asked;
      const runs = await loadOrigins(client, path, shown);
      if (mine === asked && runs && shown() !== null) marks.show(runs);
    };
    const refresh = (): void => {
      // A file that is being replaced at this moment is looked at again with the next change.
      look().catch(() => marks.clear());
    };
    refresh();
    again.current = refresh;
    const stopFeed = changeFeedOf(client).listen((paths) => {
      if (paths === null || paths.has(path)) refresh();
    });
    const onDown = code.onMouseDown(({ target }) => {
      if (target.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return;
      const run = marks.at(target.position.lineNumber);
      if (!run || showTurn(run)) return;
      code.setPosition({ lineNumber: target.position.lineNumber, column: 1 });
      askOrigin();
    });
    const onModel = code.onDidChangeModel(() => refresh());
    return () => {
      asked += 1;
      again.current = null;
      stopFeed();
      onDown.dispose();
      onModel.dispose();
      marks.clear();
    };
  }, [client, code, enabled, path, uri]);
}

/** Entries of the code's own menu. */
export function useOriginActions(code: Code | null, onToggle: () => void): void {
  useEffect(() => {
    if (!code) return undefined;
    const group = { contextMenuGroupId: 'z_origins' };
    const actions = [
      code.addAction({ ...group, id: 'lathe.whoWroteLine', label: 'Who wrote this line?', run: askOrigin }),
      code.addAction({ ...group, id: 'lathe.toggleOrigins', label: 'Toggle line origins', run: onToggle }),
    ];
    return () => actions.forEach((action) => action.dispose());
  }, [code, onToggle]);
}

export interface OriginAnswer {
  path: string;
  line: number;
  /** Null: the line was there before anything was logged, or is not saved yet. */
  run: OriginRun | null;
}

/** The answer to "Who wrote this line?" for the line of the cursor, until it is dismissed or another file comes. */
export function useOriginAnswer(code: Code | null, { path, uri }: Place) {
  const client = useClient();
  const ask = useStore(originAsk);
  const [answer, setAnswer] = useState<OriginAnswer | null>(null);
  useEffect(() => {
    if (!code || !ask) return;
    originAsk.set(null);
    const line = code.getPosition()?.lineNumber ?? 1;
    loadOrigins(client, path, shownText(code, uri)).then(
      (runs) => setAnswer(runs && { path, line, run: runAt(runs, line) }),
      (error: unknown) => toastError(error, 'Who wrote the line is not known'),
    );
  }, [client, code, ask, path, uri]);
  return { answer: answer?.path === path ? answer : null, dismiss: () => setAnswer(null) };
}
