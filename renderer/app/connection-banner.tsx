import { useStore } from '../lib/store';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { Spinner } from '../ui/spinner';
import { connectionStore } from './connection-store';

/** Under the title while the host can't be reached: what happened, what is kept, what to do. */
export function ConnectionBanner() {
  const status = useStore(connectionStore);
  if (status === 'lost') {
    return (
      <div className="connection-banner" role="alert">
        <Spinner tone="accent" />
        <span className="ui-grow">
          The connection to Lathe is lost. Trying again; unsaved text stays in this window.
        </span>
        <Button onClick={() => location.reload()}>Reload window</Button>
      </div>
    );
  }
  if (status === 'unauthorized') {
    return (
      <div className="connection-banner" role="alert">
        <Icon name="lock" className="ui-err" />
        <span className="ui-grow">
          This window may no longer talk to Lathe, which was probably started again. Open the address that
          “lathe serve” printed last in another tab; where its port is the same, this window then goes on by
          itself. Unsaved text stays here until you close it.
        </span>
      </div>
    );
  }
  return null;
}
