import { memo, useId, useState, type ReactNode } from 'react';
import type { Receipt, ReceiptCommand, ReceiptFile } from '../../../shared/model/receipt';
import { VisibleText } from '../../lib/text/visible-text';
import { Icon } from '../../ui/icon';
import { useChat } from './chat-context';
import { LabelText } from './label-text';
import {
  exitTone,
  exitWords,
  receiptParts,
  staleWords,
  unsupported,
  type ReceiptPart,
} from './receipt-words';
import { useChangedSince } from './use-changed-since';

const TONES: Readonly<Record<ReceiptPart['tone'], string>> = {
  plain: '',
  ok: 'ui-ok',
  warn: 'ui-warn',
  err: 'ui-err',
};

/** What the turn's events show: one line, all of it on demand. Statements without evidence are never folded away. */
export const ReceiptCard = memo(function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const changed = useChangedSince(receipt.files);
  const doubts = unsupported(receipt);
  return (
    <section className="ch-receipt" role="group" aria-label="Evidence receipt">
      <button
        type="button"
        className="ch-receipt-head"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="checklist" size={14} className="ui-muted" />
        <span className="ch-receipt-parts ui-clip">
          {receiptParts(receipt).map(({ text, tone }) => (
            <span key={text} className={TONES[tone]}>
              <LabelText text={text} />
            </span>
          ))}
        </span>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ch-receipt-open ui-muted" />
      </button>
      {changed.length > 0 && (
        <Line icon="history" tone="ui-warn" title={changed.join('\n')}>
          {staleWords(changed)}
        </Line>
      )}
      {doubts.map(({ kind, text, reason }, at) => (
        <Line key={`${kind}-${at}`} icon="warning" tone="ui-warn">
          <q>
            <LabelText text={text} />
          </q>{' '}
          <span className="ui-soft">
            <LabelText text={reason} />
          </span>
        </Line>
      ))}
      {open && (
        <div id={bodyId} className="ch-receipt-body">
          <Files files={receipt.files} changed={changed} />
          <Commands title="After the last edit" commands={receipt.commandsAfterLastEdit} />
          <Commands
            title={receipt.files.length > 0 ? 'Before the last edit' : 'Commands'}
            commands={receipt.commandsBefore}
          />
          <Rest receipt={receipt} />
        </div>
      )}
    </section>
  );
});

function Line(props: { icon: string; tone: string; title?: string; children: ReactNode }) {
  return (
    <div className="ch-receipt-line" title={props.title}>
      <Icon name={props.icon} size={14} className={props.tone} />
      <span>{props.children}</span>
    </div>
  );
}

function Files({ files, changed }: { files: readonly ReceiptFile[]; changed: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <Part title="Files">
      {files.map((file) => (
        <li key={file.path}>
          <FileName file={file} />
          <span className="ch-receipt-note">
            {`+${file.additions} −${file.deletions}${WORDS[file.change]}`}
            {changed.includes(file.path) && <span className="ui-warn"> · changed since</span>}
          </span>
        </li>
      ))}
    </Part>
  );
}

const WORDS: Readonly<Record<ReceiptFile['change'], string>> = {
  create: ' · new',
  modify: '',
  delete: ' · deleted',
  move: ' · moved',
};

function FileName({ file }: { file: ReceiptFile }) {
  const { onOpenFile } = useChat();
  const name = <VisibleText text={file.path} />;
  if (file.change === 'delete') return <span className="ch-receipt-name ui-clip">{name}</span>;
  return (
    <button
      type="button"
      className="ch-receipt-name ch-receipt-link ui-clip"
      title={file.path}
      onClick={() => onOpenFile(file.path)}
    >
      {name}
    </button>
  );
}

function Commands({ title, commands }: { title: string; commands: readonly ReceiptCommand[] }) {
  if (commands.length === 0) return null;
  return (
    <Part title={title}>
      {commands.map((command) => (
        <li key={command.callId}>
          <code className="ch-receipt-name ui-clip" title={command.command}>
            <VisibleText text={command.command} />
          </code>
          <span className={`ch-receipt-note ${TONES[exitTone(command)]}`}>{exitWords(command)}</span>
        </li>
      ))}
    </Part>
  );
}

function Rest({ receipt: { denied, openTodos, claims } }: { receipt: Receipt }) {
  const backed = claims.filter(({ supported }) => supported);
  return (
    <>
      {denied.length > 0 && (
        <Part title="Denied">
          {denied.map(({ callId, label, by }) => (
            <li key={callId}>
              <span className="ch-receipt-name ui-clip">
                <LabelText text={label} />
              </span>
              <span className="ch-receipt-note ui-warn">{by === 'user' ? 'by you' : `by ${by}`}</span>
            </li>
          ))}
        </Part>
      )}
      {openTodos.length > 0 && (
        <Part title="To-do items left open">
          {openTodos.map(({ id, content }) => (
            <li key={id}>
              <span className="ch-receipt-name ui-clip">{content}</span>
            </li>
          ))}
        </Part>
      )}
      {backed.length > 0 && (
        <Part title="Claims with evidence">
          {backed.map(({ text, reason }, at) => (
            <li key={at}>
              <span className="ch-receipt-name ui-clip" title={text}>
                <LabelText text={text} />
              </span>
              <span className="ch-receipt-note" title={reason}>
                <LabelText text={reason} />
              </span>
            </li>
          ))}
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <div className="ch-receipt-title">{title}</div>
      <ul className="ch-receipt-list">{children}</ul>
    </div>
  );
}
