import { projectStore, appInfoStore } from '../lib/project-store';
import { formatPath } from '../lib/format';
import { useStore } from '../lib/store';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { Icon } from '../ui/icon';
import { registry } from './registry';

/** Says that the project's folder was moved or deleted; `compact` leaves room for text that is not saved yet. */
export function FolderGone({ compact }: { compact: boolean }) {
  const project = useStore(projectStore);
  const homeDir = useStore(appInfoStore, (info) => info?.homeDir ?? '');
  if (!project) return null;
  const path = formatPath(project.path, homeDir);
  const locate = (
    <Button variant={compact ? 'secondary' : 'primary'} onClick={() => registry.run('project.openFolder')}>
      Locate…
    </Button>
  );
  if (compact) {
    return (
      <div className="ui-bar folder-gone-bar" role="alert">
        <Icon name="warning" className="ui-warn" />
        <span className="ui-grow ui-clip">{path} was moved or deleted. Your unsaved text is kept.</span>
        {locate}
      </div>
    );
  }
  return (
    <div className="folder-gone" role="alert">
      <EmptyState
        icon="folder"
        title="This folder is gone"
        actions={
          <>
            {locate}
            <Button onClick={() => registry.run('project.close')}>Open another</Button>
          </>
        }
      >
        {path} was moved or deleted. The sessions are safe and can be joined to its new place.
      </EmptyState>
    </div>
  );
}
