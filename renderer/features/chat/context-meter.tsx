import { useId, useRef, useState } from 'react';
import { formatTokens } from '../../lib/format';
import { shallowEqual, useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { BudgetPart } from './budget-part';
import { useChat, useSession } from './chat-context';
import { contextUse, SUMMARY_AT, TRIM_AT } from './context-use';
import { Popover } from './popover';

interface Numbers {
  tokens: number | null;
  window: number | null;
  estimated: boolean;
  total: number;
}

/** How full the model's window is, with the numbers on demand. */
export function ContextMeter() {
  const session = useSession();
  const { onShowContext } = useChat();
  const numbers = useStore(
    session.state,
    ({ view }): Numbers => ({
      tokens: view.contextTokens,
      window: view.contextWindow,
      estimated: view.tokensEstimated,
      total: view.totalTokens,
    }),
    shallowEqual,
  );
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popoverId = useId();
  const use = contextUse(numbers.tokens, numbers.window);
  if (!use) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`ch-meter ch-meter-${use.tone}`}
        aria-label={`Context, ${use.percent} percent used`}
        aria-expanded={open}
        aria-controls={open ? popoverId : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className="ch-meter-bar" aria-hidden="true">
          <i style={{ width: `${use.percent}%` }} />
        </span>
        <span className="ch-meter-number">{`${use.percent} %`}</span>
      </button>
      {open && (
        <Popover id={popoverId} label="Context" anchor={button} onClose={() => setOpen(false)}>
          <MeterNumbers numbers={numbers} percent={use.percent} />
          <BudgetPart />
          {onShowContext && (
            <Button
              size="small"
              icon="layers"
              onClick={() => {
                setOpen(false);
                onShowContext();
              }}
            >
              Show what is in it
            </Button>
          )}
        </Popover>
      )}
    </>
  );
}

const exact = (tokens: number, estimated: boolean): string =>
  `${estimated ? '~' : ''}${tokens.toLocaleString('en')}`;

function MeterNumbers({ numbers, percent }: { numbers: Numbers; percent: number }) {
  const { tokens, window, estimated, total } = numbers;
  return (
    <div className="ch-context">
      <div className="ui-row">
        <span className="ui-strong">Context</span>
        <span className="ch-card-end ui-soft">
          {`${exact(tokens ?? 0, estimated)} of ${(window ?? 0).toLocaleString('en')} tokens`}
        </span>
      </div>
      <div className="ch-context-bar" aria-hidden="true">
        <i style={{ width: `${percent}%` }} />
        <u style={{ left: `${TRIM_AT * 100}%` }}>trim</u>
        <u style={{ left: `${SUMMARY_AT * 100}%` }}>summary</u>
      </div>
      <ul className="ch-context-list">
        <li>
          <span>Free</span>
          <span className="ch-card-end">
            {formatTokens(Math.max(0, (window ?? 0) - (tokens ?? 0)), estimated)}
          </span>
        </li>
        <li>
          <span>Used by this session in all</span>
          <span className="ch-card-end">{formatTokens(total, estimated)}</span>
        </li>
      </ul>
      {estimated && <p className="ui-muted">~ is an estimate: the provider reported no numbers.</p>}
    </div>
  );
}
