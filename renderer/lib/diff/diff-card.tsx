import { memo, useId, useState, type ReactNode } from 'react';
import { type FileDiff, SMALL_DIFF_LINES } from '../../../shared/model/diff';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { splitPath } from '../format';
import { keyLabel } from '../keys';
import { CopyButton } from '../text/copy-button';
import { VisibleText } from '../text/visible-text';
import { DiffLines } from './diff-lines';
import { editMark, OPEN_DIFF_KEYS, type EditRef } from './edit-ref';
import '../markdown/markdown.css';
import './diff.css';

export interface DiffCardProps {
  diff: FileDiff;
  columns?: 1 | 2;
  /** Overrides the rule that small diffs open by themselves. */
  startOpen?: boolean;
  /** Shows every line, wrapped: for reading before an approval. */
  whole?: boolean;
  /** After the counts: `reverted`, `changed since it was read` … */
  note?: ReactNode;
  /** More buttons, left of copy and open. */
  actions?: ReactNode;
  onOpenFile?: (path: string, line?: number) => void;
  /** Which edit this is, where it can be put side by side. */
  edit?: EditRef;
  onShowDiff?: (edit: EditRef) => void;
  children?: ReactNode;
}

/** One file's change: a head with path and counts, and its lines, opened by themselves when they are few. */
export const DiffCard = memo(function DiffCard(props: DiffCardProps) {
  const { diff, columns = 1, startOpen, whole = false, edit, children } = props;
  const [open, setOpen] = useState(startOpen ?? diff.additions + diff.deletions <= SMALL_DIFF_LINES);
  const bodyId = useId();
  const { name } = splitPath(diff.path);
  return (
    <figure
      {...(edit && editMark(edit))}
      className="df-card"
      aria-label={`Change in ${name}, ${diff.additions} added, ${diff.deletions} removed`}
    >
      <DiffHead {...props} open={open} bodyId={bodyId} onToggle={() => setOpen(!open)} />
      {children}
      {open && (
        <div id={bodyId}>
          {diff.hunks.length === 0 ? (
            <div className="df-lines df-gap">{emptyWords(diff)}</div>
          ) : (
            <DiffLines diff={diff} columns={columns} whole={whole} />
          )}
        </div>
      )}
    </figure>
  );
});

function emptyWords({ change, truncated }: FileDiff): string {
  if (truncated) return 'The change is too large to be shown here.';
  return {
    create: 'An empty file.',
    delete: 'The file was empty.',
    move: 'Moved without a change.',
    modify: 'No line changed.',
  }[change];
}

interface HeadProps extends DiffCardProps {
  open: boolean;
  bodyId: string;
  onToggle: () => void;
}

function DiffHead({ diff, note, actions, onOpenFile, edit, onShowDiff, open, bodyId, onToggle }: HeadProps) {
  return (
    <div className="df-head">
      <button
        type="button"
        className="df-toggle"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={onToggle}
        title={diff.path}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
        <PathText diff={diff} />
        <Counts diff={diff} />
        {diff.match !== undefined && <span className="df-note ui-clip">{`matched by ${diff.match}`}</span>}
        {note !== undefined && <span className="df-note ui-clip">{note}</span>}
      </button>
      {actions}
      {edit && onShowDiff && (
        <IconButton
          small
          icon="diff"
          label="Open diff"
          keyHint={keyLabel(OPEN_DIFF_KEYS)}
          onClick={() => onShowDiff(edit)}
        />
      )}
      <CopyButton text={() => diff.unified} label="Copy diff" />
      {onOpenFile && diff.change !== 'delete' && (
        <IconButton
          small
          icon="go-to-file"
          label="Open in editor"
          onClick={() => onOpenFile(diff.path, firstChangedLine(diff))}
        />
      )}
    </div>
  );
}

function PathText({ diff }: { diff: FileDiff }) {
  const { folder, name } = splitPath(diff.path);
  return (
    <span className="df-path">
      {diff.movedFrom !== undefined && (
        <span className="df-folder">
          <VisibleText text={`${diff.movedFrom} → `} />
        </span>
      )}
      <span className="df-folder">
        <VisibleText text={folder} />
      </span>
      <span className="df-name">
        <VisibleText text={name} />
      </span>
    </span>
  );
}

const CHANGE_WORDS = { create: 'new', delete: 'deleted', move: 'moved', modify: '' } as const;

function Counts({ diff }: { diff: FileDiff }) {
  return (
    <span className="df-counts">
      {CHANGE_WORDS[diff.change] !== '' && <span className="df-note">{CHANGE_WORDS[diff.change]}</span>}
      {diff.additions > 0 && <span className="ui-ok">{`+${diff.additions}`}</span>}
      {diff.deletions > 0 && <span className="ui-err">{`−${diff.deletions}`}</span>}
    </span>
  );
}

/** The 1-based line in the new text where the first change is. */
export function firstChangedLine(diff: FileDiff): number | undefined {
  for (const hunk of diff.hunks) {
    const at = hunk.lines.findIndex((line) => line.kind !== 'context');
    if (at === -1) continue;
    return hunk.lines.slice(at).find((line) => line.newLine !== undefined)?.newLine ?? hunk.newStart;
  }
  return undefined;
}
