import { useState, type ReactNode } from 'react';
import type { ConflictView } from '../../../../shared/model/change';
import { baseName } from '../../../lib/files/workspace-path';
import { VisibleText } from '../../../lib/text/visible-text';
import { Button } from '../../../ui/button';
import { ErrorBox } from '../../../ui/error-box';
import { Icon } from '../../../ui/icon';
import { Segmented } from '../../../ui/segmented';
import { ConflictDiff, type ResultEditor } from './conflict-diff';
import { draftOf } from './conflict-drafts';
import { firstChoice, regionsOf, savedText, segmentsOf, type Choice, type Region } from './conflict-text';

export interface ConflictSidesProps {
  view: ConflictView;
  /** The file changed while one looked: these sides are new. */
  isFresh: boolean;
  onSave(text: string | null): Promise<void>;
  onDrop(): void;
}

const CHOICES = [
  { value: 'mine', label: 'Keep mine' },
  { value: 'undo', label: 'Take undo' },
  { value: 'both', label: 'Both' },
] as const;

function useSave(onSave: ConflictSidesProps['onSave']) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (text: string | null): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onSave(text);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return { busy, error, save: (text: string | null): void => void save(text) };
}

/** What can be decided about a conflict depends on what is there: two texts, one, or none that can be read. */
export function ConflictSides(props: ConflictSidesProps) {
  const { view } = props;
  const isText = !view.isBinary && (view.current !== null || view.wanted !== null);
  return isText ? <TextConflict {...props} /> : <OpaqueConflict {...props} />;
}

function Head({
  view,
  isFresh,
  children,
}: Pick<ConflictSidesProps, 'view' | 'isFresh'> & { children: ReactNode }) {
  return (
    <header className="cf-head">
      <div className="ui-grow">
        <h2 className="cf-title">
          {'Conflict in '}
          <VisibleText text={baseName(view.path)} />
        </h2>
        <p className="ui-soft">{explain(view)}</p>
        {isFresh && (
          <p className="cf-fresh" role="alert">
            <Icon name="warning" size={14} className="ui-warn" />
            The file changed while you looked, so nothing was saved. These are the new sides.
          </p>
        )}
      </div>
      <div className="cf-actions">{children}</div>
    </header>
  );
}

function explain({ current, wanted, isBinary }: ConflictView): string {
  if (isBinary) return 'It is no text and was changed since, so it can only be left as it is.';
  if (current === null) return 'It was deleted since. Undo would bring it back with its former text.';
  if (wanted === null) return 'Undo would remove it, but it was changed since.';
  return 'Later changes are in the lines that undo would take back. Choose for each place, or edit the right side.';
}

function OpaqueConflict({ view, isFresh, onDrop }: ConflictSidesProps) {
  return (
    <Head view={view} isFresh={isFresh}>
      <Button variant="primary" onClick={onDrop}>
        Leave as it is
      </Button>
    </Head>
  );
}

function TextConflict({ view, isFresh, onSave, onDrop }: ConflictSidesProps) {
  const [segments] = useState(() => segmentsOf(view));
  const regions = regionsOf(segments);
  const [started] = useState<readonly Choice[]>(
    () => draftOf(view)?.choices ?? regions.map(() => firstChoice(view)),
  );
  const [choices, setChoices] = useState(started);
  const [result, setResult] = useState<ResultEditor | null>(null);
  const { busy, error, save } = useSave(onSave);
  const choose = (at: number, choice: Choice): void => {
    const region = regions[at];
    if (!region || !result) return;
    setChoices((all) => all.map((old, i) => (i === at ? choice : old)));
    result.choose(at, region, choice);
  };
  return (
    <>
      <Head view={view} isFresh={isFresh}>
        <Button onClick={onDrop}>Leave as it is</Button>
        {view.wanted === null && (
          <Button busy={busy} onClick={() => save(null)}>
            Remove the file
          </Button>
        )}
        <Button
          variant="primary"
          busy={busy}
          disabled={result === null}
          onClick={() => result && save(savedText(view, result.text()))}
        >
          Save
        </Button>
      </Head>
      {error !== null && <ErrorBox title="It was not saved" error={error} />}
      <ol className="cf-regions" aria-label="Places in conflict">
        {regions.map((region, at) => (
          <RegionRow
            key={at}
            at={at}
            of={regions.length}
            region={region}
            choice={choices[at] ?? firstChoice(view)}
            onChoose={(choice) => choose(at, choice)}
            onShow={() => result?.reveal(at)}
          />
        ))}
      </ol>
      <ConflictDiff view={view} segments={segments} choices={started} chosen={choices} onReady={setResult} />
    </>
  );
}

interface RegionRowProps {
  at: number;
  of: number;
  region: Region;
  choice: Choice;
  onChoose(choice: Choice): void;
  onShow(): void;
}

function RegionRow({ at, of, region, choice, onChoose, onShow }: RegionRowProps) {
  const name = `Place ${at + 1} of ${of}`;
  return (
    <li className="cf-region">
      <button type="button" className="cf-region-name" onClick={onShow}>
        {name}
      </button>
      <Segmented label={name} value={choice} choices={CHOICES} onChange={onChoose} />
      <span className="cf-region-text ui-clip" title={[...region.mine, '→', ...region.undo].join('\n')}>
        <VisibleText text={firstLine(region.mine)} />
        <Icon name="arrow-right" size={14} className="ui-muted" />
        <VisibleText text={firstLine(region.undo)} />
      </span>
    </li>
  );
}

const firstLine = (lines: readonly string[]): string => {
  const line = lines.find((each) => each.trim() !== '')?.trim();
  return line === undefined ? '(no line)' : line.slice(0, 120);
};
