import type * as Monaco from 'monaco-editor';
import { useEffect, useRef } from 'react';
import type { ReviewHunk, ReviewTexts } from '../../../shared/model/change';
import { useClient } from '../../lib/client-context';
import { currentKeyPlatform, keyLabel } from '../../lib/keys';
import { languageOfPath } from '../../lib/markdown/languages';
import '../../lib/markdown/markdown.css';
import type { Verdict } from '../../lib/review/decide';
import { hunkRuns, type HunkRun } from '../../lib/review/hunk-runs';
import { ACCEPT_KEYS, rejectKeys } from '../../lib/review/review-keys';
import { turnWords } from '../../lib/review/review-words';
import { useStore } from '../../lib/store';
import { themeColor } from '../../lib/theme';
import type { TextView } from './editor-state';
import { monaco } from './monaco/setup';
import { decideInFront, setShownReview, type HunkPlace } from './review-actions';
import './review-marks.css';
import { frontReview } from './review-texts';
import { BAR_PX, hunkBar, REMOVED_SHOWN, removedLines } from './review-zone';

type Code = Monaco.editor.IStandaloneCodeEditor;
type Decoration = Monaco.editor.IModelDeltaDecoration;

/** A file with more pending hunks gets marks in the gutter only. */
const MAX_ZONES = 200;

const hoverOf = ({ turns, isMixed }: ReviewHunk): string =>
  [...turns.map((turn) => turnWords(turn, 120)), isMixed ? 'with other edits among them' : '']
    .filter((part) => part !== '')
    .join('\n');

function runDecoration(run: HunkRun, hover: string, lastLine: number): Decoration {
  const start = Math.min(lastLine, Math.max(1, run.start));
  const end = Math.min(lastLine, Math.max(start, run.start + run.lines - 1));
  return {
    range: new monaco.Range(start, 1, end, 1),
    options: {
      isWholeLine: true,
      linesDecorationsClassName: `er-edge er-edge-${run.kind}`,
      linesDecorationsTooltip: hover,
      lineNumberHoverMessage: { value: hover },
      ...(run.lines > 0 ? { className: 'er-line' } : {}),
      overviewRuler: { color: themeColor('--agent'), position: monaco.editor.OverviewRulerLane.Left },
    },
  };
}

/** One decoration over each hunk tells where it is after edits. */
function placeDecoration(runs: readonly HunkRun[], lastLine: number): Decoration {
  const first = runs[0];
  const last = runs.at(-1);
  const start = Math.min(lastLine, Math.max(1, first?.start ?? 1));
  const end = Math.min(lastLine, Math.max(start, (last?.start ?? 1) + Math.max(0, (last?.lines ?? 1) - 1)));
  return { range: new monaco.Range(start, 1, end, 1), options: { isWholeLine: true } };
}

interface Zones {
  code: Code;
  texts: ReviewTexts;
  onDecide: (verdict: Verdict, hunk: ReviewHunk) => void;
}

/** Tells the zones how much of them is in view. */
function followWidth(code: Code): () => void {
  const tell = (): void => {
    const { contentWidth, verticalScrollbarWidth } = code.getLayoutInfo();
    code.getContainerDomNode().style.setProperty('--er-width', `${contentWidth - verticalScrollbarWidth}px`);
  };
  tell();
  const attached = code.onDidLayoutChange(tell);
  return () => attached.dispose();
}

function addZones({ code, texts, onDecide }: Zones): () => void {
  const { hunks, file } = texts;
  const language = languageOfPath(file.path);
  const linePx = code.getOption(monaco.editor.EditorOption.lineHeight);
  const keys = { accept: keyLabel(ACCEPT_KEYS), reject: keyLabel(rejectKeys(currentKeyPlatform())) };
  const ids: string[] = [];
  code.changeViewZones((accessor) => {
    for (const [at, hunk] of hunks.entries()) {
      for (const [index, run] of hunkRuns(hunk.hunk).entries()) {
        const node = document.createElement('div');
        node.className = 'er-zone';
        const removed = Math.min(run.removed.length, REMOVED_SHOWN + 1);
        if (index === 0) {
          const facts = { hunk, number: at + 1, count: hunks.length, canReject: file.canReject, keys };
          node.append(hunkBar({ ...facts, onDecide: (verdict) => onDecide(verdict, hunk) }));
        } else if (removed === 0) continue;
        if (removed > 0) {
          const lines = removedLines(run.removed, language);
          code.applyFontInfo(lines);
          node.append(lines);
        }
        const heightInPx = (index === 0 ? BAR_PX : 0) + removed * linePx;
        node.style.setProperty('--er-line', `${linePx}px`);
        ids.push(
          accessor.addZone({
            afterLineNumber: Math.max(0, run.start - 1),
            heightInPx,
            domNode: node,
            suppressMouseDown: true,
          }),
        );
      }
    }
  });
  const leave = followWidth(code);
  return () => {
    leave();
    code.changeViewZones((accessor) => ids.forEach((id) => accessor.removeZone(id)));
  };
}

/**
 * What comes and goes between the lines must not push the line that one is at out of view, and neither must the bar over
 * the code, which takes its height from the editor a moment later.
 */
function keepingCursorInView(code: Code, change: () => void): void {
  const line = code.getPosition()?.lineNumber ?? 1;
  const linePx = code.getOption(monaco.editor.EditorOption.lineHeight);
  const isInView = (linesBelow: number): boolean => {
    const top = code.getTopForLineNumber(line) - code.getScrollTop();
    return top >= 0 && top + (1 + linesBelow) * linePx <= code.getLayoutInfo().height;
  };
  const wasInView = isInView(0);
  change();
  if (wasInView && !isInView(2)) code.revealLineInCenter(line);
}

/** Draws the pending hunks into the code; Monaco moves them along with every edit by itself. */
function drawMarks(zones: Zones): () => void {
  const { code, texts } = zones;
  const lastLine = code.getModel()?.getLineCount() ?? 1;
  const runs = texts.hunks.map(({ hunk }) => hunkRuns(hunk));
  const marks = code.createDecorationsCollection(
    texts.hunks.flatMap((hunk, at) =>
      (runs[at] ?? []).map((run) => runDecoration(run, hoverOf(hunk), lastLine)),
    ),
  );
  const places = code.createDecorationsCollection(runs.map((all) => placeDecoration(all, lastLine)));
  const removeZones = texts.hunks.length > MAX_ZONES ? () => undefined : addZones(zones);
  setShownReview({
    code,
    texts,
    places: () =>
      places.getRanges().flatMap(({ startLineNumber, endLineNumber }, at): HunkPlace[] => {
        const hunk = texts.hunks[at];
        return hunk ? [{ hunk, start: startLineNumber, end: endLineNumber }] : [];
      }),
  });
  return () => {
    setShownReview(null);
    marks.clear();
    places.clear();
    removeZones();
  };
}

/**
 * Marks the pending changes of the file in front. They are drawn when the text on screen is the one that they are about;
 * while the user types they only move along.
 */
export function useReviewMarks(code: Code | null, path: string, view: TextView): void {
  const client = useClient();
  const texts = useStore(frontReview);
  const drawn = useRef<{ texts: ReviewTexts; uri: string; clear: () => void } | null>(null);
  const { uri, large } = view;
  const isThere = texts?.file.path === path && !large && !texts.file.isOpaque;
  const fits = isThere && !view.sync.dirty && view.sync.baseHash === texts.currentHash;
  useEffect(() => {
    const now = drawn.current;
    const stays = now && isThere && now.uri === uri && (!fits || now.texts === texts);
    if (stays || !code || code.getModel()?.uri.toString() !== uri) return;
    const onDecide = (verdict: Verdict, hunk: ReviewHunk): void =>
      void decideInFront(client, verdict, [hunk.id]);
    keepingCursorInView(code, () => {
      now?.clear();
      drawn.current = fits ? { texts, uri, clear: drawMarks({ code, texts, onDecide }) } : null;
    });
  }, [client, code, uri, texts, isThere, fits]);
  useEffect(
    () => () => {
      drawn.current?.clear();
      drawn.current = null;
    },
    [code],
  );
}
