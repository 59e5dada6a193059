import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import type { Client } from '../../../shared/contract/contract';
import { useClient } from '../../lib/client-context';
import { currentKeyPlatform, keyParts } from '../../lib/keys';
import { useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import type { CommandRegistry } from '../command-registry';
import { cutPieces } from './fuzzy';
import { commandRows, fileRows, parseFileQuery, type FileQuery, type PaletteRow } from './palette-rows';
import './palette.css';
import { noteCommand, noteFile, recentCommands, recentFiles } from './recents';

export interface PaletteProps {
  registry: CommandRegistry;
  /** What stands in the field at first; `>` lists commands. */
  initial: string;
  /** False on the first-run page, where there are no files. */
  hasProject: boolean;
  /** The file that `:12` without a name means. */
  activePath: string | null;
  onOpenFile: (path: string, query: FileQuery) => void;
  onClose: () => void;
}

const FIND_LIMIT = 50;

interface FoundFiles {
  /** The query that `paths` answers; null before the first answer. */
  query: string | null;
  paths: readonly string[];
}

function useFoundFiles(query: string | null): FoundFiles {
  const client = useClient();
  const [found, setFound] = useState<FoundFiles>({ query: null, paths: [] });
  useEffect(() => {
    if (query === null) return undefined;
    let current = true;
    client.files.find({ query, limit: FIND_LIMIT }).then(
      (paths) => {
        if (current) setFound({ query, paths });
      },
      (error: unknown) => {
        if (current) toastError(error, 'Files could not be searched');
      },
    );
    return () => {
      current = false;
    };
  }, [client, query]);
  return found;
}

interface Results {
  rows: PaletteRow[];
  commandMode: boolean;
  file: FileQuery;
  /** False while the rows still answer an earlier query. */
  settled: boolean;
}

function useResults(props: PaletteProps, text: string): Results {
  const commandMode = text.startsWith('>') || !props.hasProject;
  const file = parseFileQuery(text);
  const found = useFoundFiles(commandMode ? null : file.text);
  const recent = useStore(recentCommands);
  const files = useStore(recentFiles);
  const rows = commandMode
    ? commandRows(text.replace(/^>/, '').trim(), props.registry.available(), recent)
    : fileRows(file.text, found.paths, files);
  return { rows, commandMode, file, settled: commandMode || found.query === file.text };
}

/** Enter came before the answer to what was typed: asks for the best match and opens that. */
async function openBest(client: Client, query: string, open: (path: string) => void): Promise<void> {
  const [path] = await client.files.find({ query, limit: 1 });
  if (path === undefined) pushToast({ tone: 'info', title: `No file matches “${query}”` });
  else open(path);
}

function moveTo(key: string, active: number, count: number): number | null {
  const page = 10;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active + count - 1) % count;
  if (key === 'PageDown') return Math.min(count - 1, active + page);
  if (key === 'PageUp') return Math.max(0, active - page);
  return null;
}

/** Files and commands in one box: type to filter, `>` for commands, arrows and Enter to pick. */
export function Palette(props: PaletteProps) {
  const { registry, initial, onClose } = props;
  const client = useClient();
  const [text, setText] = useState(initial);
  const [active, setActive] = useState(0);
  const { rows, commandMode, file, settled } = useResults(props, text);
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  usePaletteFocus(box, onClose);
  const at = Math.min(active, Math.max(0, rows.length - 1));
  const goesToLine = !commandMode && file.text === '' && file.line !== undefined && props.activePath !== null;
  const openFile = (path: string): void => {
    noteFile(path);
    props.onOpenFile(path, file);
  };
  const pick = (row: PaletteRow, stay: boolean): void => {
    if (!stay) onClose();
    if (!commandMode) {
      openFile(row.key);
      return;
    }
    noteCommand(row.key);
    registry.run(row.key);
  };
  const enter = (stay: boolean): void => {
    const row = rows[at];
    if (goesToLine && props.activePath !== null) {
      onClose();
      props.onOpenFile(props.activePath, file);
    } else if (!settled) {
      onClose();
      openBest(client, file.text, openFile).catch(toastError);
    } else if (row) pick(row, stay && commandMode);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const next = rows.length > 0 ? moveTo(event.key, at, rows.length) : null;
    if (next !== null) setActive(next);
    else if (event.key === 'Enter') enter(event.ctrlKey || event.metaKey);
    else if (event.key === 'Escape') onClose();
    else if (event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
  };
  return createPortal(
    <div
      ref={box}
      className="palette"
      role="dialog"
      aria-label={commandMode ? 'Command palette' : 'Go to file'}
    >
      <PaletteQuery
        commandMode={commandMode}
        text={text}
        listId={listId}
        activeId={rows[at] ? `${listId}-${at}` : undefined}
        onChange={(value) => {
          setText(value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <PaletteList id={listId} rows={goesToLine ? [] : rows} active={at} onPick={(row) => pick(row, false)} />
      {goesToLine && <p className="palette-none">Enter goes to line {file.line}.</p>}
      {rows.length === 0 && settled && !goesToLine && (
        <p className="palette-none">{commandMode ? 'No command matches.' : 'No file matches.'}</p>
      )}
      <PaletteFoot commandMode={commandMode} count={rows.length} />
    </div>,
    document.body,
  );
}

interface PaletteQueryProps {
  commandMode: boolean;
  text: string;
  listId: string;
  activeId: string | undefined;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function PaletteQuery({ commandMode, text, listId, activeId, onChange, onKeyDown }: PaletteQueryProps) {
  return (
    <div className="palette-query">
      <Icon name="search" className="ui-muted" />
      <input
        role="combobox"
        aria-label={commandMode ? 'Command' : 'File name'}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        spellCheck={false}
        autoComplete="off"
        placeholder={commandMode ? 'Command' : 'File name, “:” and a line, or “>” for commands'}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Before the next key arrives: what is typed right after the shortcut belongs into the field. */
function usePaletteFocus(box: { current: HTMLElement | null }, onClose: () => void): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = box.current;
    element?.querySelector('input')?.focus();
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element?.contains(event.target)) onClose();
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true);
      const lost = document.activeElement === document.body || element?.contains(document.activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [box, onClose]);
}

interface PaletteListProps {
  id: string;
  rows: readonly PaletteRow[];
  active: number;
  onPick: (row: PaletteRow) => void;
}

function PaletteList({ id, rows, active, onPick }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, rows]);
  return (
    <div ref={list} className="palette-list" role="listbox" id={id} aria-label="Results">
      {rows.map((row, index) => (
        <div key={row.key} role="presentation">
          {row.group !== rows[index - 1]?.group && <div className="palette-group">{row.group}</div>}
          <div
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={classNames('palette-row', index === active && 'palette-row-on')}
            onClick={() => onPick(row)}
          >
            <Icon name={row.icon} className="ui-muted" />
            <span className="palette-label">
              {cutPieces(row.label, row.ranges).map((piece, at) =>
                piece.matched ? <b key={at}>{piece.text}</b> : piece.text,
              )}
            </span>
            {row.detail !== '' && <span className="palette-detail ui-clip">{row.detail}</span>}
            {row.keys !== '' && <PaletteKeys keys={row.keys} />}
          </div>
        </div>
      ))}
    </div>
  );
}

function PaletteKeys({ keys }: { keys: string }) {
  return (
    <span className="palette-keys">
      {keyParts(keys, currentKeyPlatform()).map((part) => (
        <kbd key={part} className="ui-key-box">
          {part}
        </kbd>
      ))}
    </span>
  );
}

function PaletteFoot({ commandMode, count }: { commandMode: boolean; count: number }) {
  return (
    <div className="palette-foot">
      <span>
        <kbd className="ui-key-box">Enter</kbd> {commandMode ? 'run' : 'open'}
      </span>
      {commandMode ? (
        <span>
          <kbd className="ui-key-box">Ctrl</kbd> <kbd className="ui-key-box">Enter</kbd> run and stay
        </span>
      ) : (
        <span>
          <kbd className="ui-key-box">&gt;</kbd> commands
        </span>
      )}
      <span className="palette-count" role="status">
        {count} {count === 1 ? 'result' : 'results'}
      </span>
    </div>
  );
}
