import type { CallView } from '../../../shared/model/session-view';
import { CopyButton } from '../../lib/text/copy-button';
import { terminalText } from '../../lib/text/terminal-text';
import { VisibleText } from '../../lib/text/visible-text';
import { argumentRows } from './call-arguments';

/** The most characters of a result that are drawn; the copy button has all of it. */
const SHOWN_CHARS = 12_000;

/** What a call was given, what it printed and what it gave back. Text only: nothing here is markup. */
export function CallDetail({ call }: { call: CallView }) {
  const output = terminalText(call.output);
  const result = call.result?.text ?? '';
  const showResult = result !== '' && terminalText(result).trim() !== output.trim();
  return (
    <div className="ch-detail">
      <dl className="ch-facts">
        {argumentRows(call.args).map(({ name, value }) => (
          <div key={name} className="ch-fact">
            <dt>{name}</dt>
            <dd>
              <VisibleText text={value} />
            </dd>
          </div>
        ))}
        <ExitFact call={call} />
      </dl>
      {call.error && (
        <p className="ch-detail-error">
          {call.error.message}
          {call.error.hint !== undefined && <span className="ui-soft">{` ${call.error.hint}`}</span>}
        </p>
      )}
      {output !== '' && <Printed label="Output" text={output} cut={call.outputCut} />}
      {showResult && <Printed label="Result" text={terminalText(result)} cut={false} />}
      <CutNote call={call} />
    </div>
  );
}

function ExitFact({ call }: { call: CallView }) {
  const code = call.result?.exitCode;
  if (code === undefined) return null;
  return (
    <div className="ch-fact">
      <dt>exit</dt>
      <dd>{code === null ? 'ended by a signal' : code}</dd>
    </div>
  );
}

function Printed({ label, text, cut }: { label: string; text: string; cut: boolean }) {
  const shown = text.length > SHOWN_CHARS ? text.slice(-SHOWN_CHARS) : text;
  return (
    <div className="ch-printed">
      <div className="ch-printed-head">
        <span>{cut || shown !== text ? `${label}, its end` : label}</span>
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <pre className="ch-terminal" tabIndex={0} aria-label={label}>
        <VisibleText text={shown.trimEnd()} />
      </pre>
    </div>
  );
}

function CutNote({ call }: { call: CallView }) {
  const { cutChars = 0, fullOutputPath } = call.result ?? {};
  if (cutChars === 0 && fullOutputPath === undefined) return null;
  return (
    <p className="ch-detail-note">
      {cutChars > 0 && `${cutChars.toLocaleString('en')} characters were cut before the model saw it. `}
      {fullOutputPath !== undefined && (
        <>
          {'All of it is in '}
          <code>
            <VisibleText text={fullOutputPath} />
          </code>
        </>
      )}
    </p>
  );
}
