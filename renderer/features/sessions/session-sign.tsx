import type { SessionActivity } from '../../../shared/model/session';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';

/** What a session does, as a sign with a name. */
export function SessionSign({ activity, empty }: { activity: SessionActivity; empty: boolean }) {
  switch (activity) {
    case 'running':
      return <Spinner label="running" />;
    case 'waiting':
      return <span className="ui-dot ui-agent" role="img" aria-label="waits for you" />;
    case 'failed':
      return <Icon name="error" className="ui-err" label="failed" />;
    case 'interrupted':
      return <Icon name="debug-pause" className="ui-warn" label="interrupted" />;
    case 'idle':
      return empty ? (
        <span className="ui-dot ui-dot-ring ui-muted" role="img" aria-label="new" />
      ) : (
        <Icon name="check" className="ui-ok" label="done" />
      );
  }
}
