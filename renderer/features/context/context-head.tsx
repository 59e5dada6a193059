import type { NextContext } from '../../../shared/contract/context';
import { formatTokens } from '../../lib/format';
import { stretches } from './lens-view';

const whole = (tokens: number): string => tokens.toLocaleString('en');

/** How full the window is and by what. */
export function ContextHead({ next }: { next: NextContext }) {
  const parts = stretches(next);
  const percent = Math.round((next.tokens / Math.max(1, next.window)) * 100);
  return (
    <header className="cx-head">
      <div className="cx-head-line">
        <span className="ui-strong">Next request</span>
        <span className="ui-soft">
          {`about ${whole(next.tokens)} of ${whole(next.window)} tokens, ${percent} %`}
        </span>
        <span className="cx-model ui-muted">{next.model ?? 'no model is set up'}</span>
      </div>
      <div className="cx-window" role="img" aria-label={`${percent} percent of the window is used`}>
        {parts.map((part) => (
          <i key={part.kind} data-kind={part.kind} style={{ width: `${part.percent}%` }} title={part.label} />
        ))}
        <Mark at={next.marks.olderHalf} label="older half is summarised" />
        <Mark at={next.marks.trim} label="results are shortened" />
        <Mark at={next.marks.full} label="all is summarised" />
      </div>
      <ul className="cx-legend">
        {parts.map((part) => (
          <li key={part.kind}>
            <i data-kind={part.kind} aria-hidden="true" />
            {part.label}
            <span className="ui-muted">{formatTokens(part.tokens)}</span>
          </li>
        ))}
        {next.pinned.tokens > 0 && (
          <li className="ui-muted">
            {`Pinned ${formatTokens(next.pinned.tokens)} of ${formatTokens(next.pinned.limit)}`}
          </li>
        )}
      </ul>
    </header>
  );
}

function Mark({ at, label }: { at: number; label: string }) {
  return <u style={{ left: `${at * 100}%` }} title={`At ${Math.round(at * 100)} % ${label}`} />;
}
