import { useEffect, useState } from 'react';
import type { ProjectInfo } from '../../../shared/contract/project';
import { useClient } from '../../lib/client-context';
import { formatAgo, formatPath } from '../../lib/format';
import { appInfoStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';

const SHOWN = 6;

export function RecentProjects({ onOpen }: { onOpen: (path: string) => void }) {
  const client = useClient();
  const [projects, setProjects] = useState<readonly ProjectInfo[]>([]);
  const [now] = useState(() => Date.now());
  const homeDir = useStore(appInfoStore, (info) => info?.homeDir ?? '');
  useEffect(() => {
    client.project.recent(null).then(setProjects, toastError);
  }, [client]);
  const forget = async (project: ProjectInfo): Promise<void> => {
    await client.project.forget({ id: project.id });
    setProjects((all) => all.filter((other) => other.id !== project.id));
  };
  const shown = projects.filter((project) => !project.isTour).slice(0, SHOWN);
  if (shown.length === 0) return null;
  return (
    <section className="recent" aria-label="Recent projects">
      <h2 className="recent-title">Recent</h2>
      <ul>
        {shown.map((project) => (
          <li key={project.path} className="recent-row">
            <button
              type="button"
              className="recent-open"
              disabled={!project.exists}
              onClick={() => onOpen(project.path)}
            >
              <Icon
                name={project.exists ? 'folder' : 'warning'}
                className={project.exists ? 'ui-muted' : 'ui-warn'}
              />
              <span className="recent-name ui-clip">{project.name}</span>
              <span className="recent-path ui-clip">
                {project.exists ? formatPath(project.path, homeDir) : 'the folder is gone'}
              </span>
              <span className="recent-age">{formatAgo(project.lastOpenedAt, now)}</span>
            </button>
            <IconButton
              icon="close"
              small
              label={`Forget ${project.name}`}
              onClick={() => void forget(project).catch(toastError)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
