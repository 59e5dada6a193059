import { Fragment } from 'react';
import { keyLabel } from '../../lib/keys';
import { LEGEND } from './review-walk';

/** The keys of the review, always in sight. */
export function KeyLegend() {
  return (
    <div className="rv-legend" role="note" aria-label="Keys">
      {LEGEND.map(({ keys, what }) => (
        <span key={what} className="rv-legend-entry">
          {keys.map((key) => (
            <Fragment key={key}>
              <kbd className="ui-key-box">{keyLabel(key)}</kbd>
            </Fragment>
          ))}
          {what}
        </span>
      ))}
    </div>
  );
}
