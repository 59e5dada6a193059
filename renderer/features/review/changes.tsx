import { useCallback, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ReviewFile } from '../../../shared/model/change';
import type { Verdict } from '../../lib/review/decide';
import { firstLine } from '../../lib/review/hunk-runs';
import { useStore } from '../../lib/store';
import { FileHead } from './file-head';
import { FileList } from './file-list';
import { HunkBlock, type HunkBlockProps } from './hunk-block';
import { KeyLegend } from './key-legend';
import { reviewBlocks, stopsOf, type ReviewBlock, type Stop } from '../../lib/review/review-blocks';
import { goneStops, type ReviewData, type Target } from '../../lib/review/review-data';
import type { ReviewHost } from './review-host';
import { ReviewScroll, type ReviewScrollHandle } from './review-scroll';
import { afterDecision, keyAction, walk, type KeyAction } from './review-walk';
import { undoLast } from './undo-last';
import { useAskedFocus } from './use-asked-focus';
import { useStops, type Stops } from './use-stops';
import { WholeBlock } from './whole-block';

interface Props {
  data: ReviewData;
  host: ReviewHost;
}

/** Which files are folded, by path. */
function useFolds() {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = useCallback(
    (path: string): void =>
      setFolded((before) => {
        const next = new Set(before);
        if (!next.delete(path)) next.add(path);
        return next;
      }),
    [],
  );
  return { folded, fold };
}

/** The list of files, all changes in one scroll, and the keys that go through them. */
export function Changes({ data, host }: Props) {
  const state = useStore(data.state);
  const { folded, fold } = useFolds();
  const blocks = useMemo(() => reviewBlocks(state, folded), [state, folded]);
  const stops = useMemo(() => stopsOf(blocks), [blocks]);
  const scroll = useRef<ReviewScrollHandle>(null);
  const at = useStops(stops, scroll);
  const { go } = at;
  const { current } = at;
  const takeFocus = useCallback(() => go(current, true), [go, current]);
  useAskedFocus(host.askedAt, current !== null, takeFocus);
  const decide = useCallback(
    (verdict: Verdict, target: Target): void => {
      const gone = goneStops(data.state.get(), target);
      go(afterDecision(stops, firstOf(stops, gone), gone), true);
      void data.decide(verdict, target);
    },
    [data, stops, go],
  );
  const onKeyDown = useReviewKeys({ data, host, stops, at, decide });
  const show = (path: string, focus: boolean): void =>
    go(stops.find(({ file }) => file.path === path) ?? null, focus);
  return (
    <div className="rv-body" onKeyDown={onKeyDown}>
      <FileList
        files={state.files}
        notes={state.notes}
        current={at.current?.file.path ?? null}
        onShow={show}
      />
      <div className="rv-main">
        <ReviewScroll
          handle={scroll}
          blocks={blocks}
          pinned={at.current?.at ?? -1}
          onFiles={data.want}
          renderBlock={(block) => (
            <Block
              block={block}
              current={block.kind !== 'file' && block.stop !== null && block.stop === at.current?.key}
              {...{ data, host, at, decide, fold }}
            />
          )}
        />
        <KeyLegend />
      </div>
    </div>
  );
}

const firstOf = (stops: readonly Stop[], keys: ReadonlySet<string>): string | null =>
  stops.find(({ key }) => keys.has(key))?.key ?? null;

interface BlockProps extends Props {
  block: ReviewBlock;
  current: boolean;
  at: Stops;
  decide: (verdict: Verdict, target: Target) => void;
  fold: (path: string) => void;
}

function Block({ block, current, data, host, at, decide, fold }: BlockProps) {
  const onHunk = useCallback<HunkBlockProps['onDecide']>(
    (verdict, { file, hunk }) => decide(verdict, { path: file.path, hunkId: hunk.id }),
    [decide],
  );
  if (block.kind === 'hunk')
    return <HunkBlock block={block} current={current} onDecide={onHunk} onCurrent={at.noteFocus} />;
  if (block.kind === 'whole') return <WholeBlock block={block} current={current} onCurrent={at.noteFocus} />;
  return (
    <FileHead
      block={block}
      onFold={fold}
      onOpen={(file) => openFile(data, host, file)}
      onSideBySide={host.onSideBySide}
      onDecide={(verdict, file) => decide(verdict, { path: file.path, hunkId: null })}
      onDismiss={data.dismiss}
    />
  );
}

/** Opens a file at its first pending change. */
function openFile(data: ReviewData, host: ReviewHost, { path }: ReviewFile): void {
  const known = data.state.get().texts.get(path);
  const hunk = known?.kind === 'ready' ? known.texts.hunks[0] : undefined;
  host.onOpenFile(path, hunk && firstLine(hunk.hunk));
}

interface KeyScope extends Props {
  stops: readonly Stop[];
  at: Stops;
  decide: (verdict: Verdict, target: Target) => void;
}

/** A press that a control of the page uses itself. */
function isForControl(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input, textarea, select')) return true;
  return target.closest('button') !== null && (key === 'Enter' || key === ' ');
}

function useReviewKeys(scope: KeyScope) {
  return (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.nativeEvent.isComposing || isForControl(event)) return;
    const action = keyAction(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    act(action, scope);
  };
}

function act(action: KeyAction, { data, host, stops, at, decide }: KeyScope): void {
  const { current } = at;
  switch (action.kind) {
    case 'step':
      return at.go(walk(stops, current?.key ?? null, action.step), true);
    case 'leave':
      return host.onLeave();
    case 'undo':
      return undoLast(data);
    case 'open':
      if (current && current.file.change !== 'delete')
        host.onOpenFile(current.file.path, current.hunk ? firstLine(current.hunk.hunk) : undefined);
      return;
    case 'decide': {
      if (!current || (action.verdict === 'reject' && !current.file.canReject)) return;
      const hunkId = action.scope === 'hunk' ? (current.hunk?.id ?? null) : null;
      return decide(action.verdict, { path: current.file.path, hunkId });
    }
  }
}
