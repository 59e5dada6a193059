import { useState } from 'react';
import type { ProjectInfo } from '../../shared/contract/project';
import { branchWords } from '../lib/branch-words';
import { useClient } from '../lib/client-context';
import { formatPath } from '../lib/format';
import { appInfoStore, projectStore } from '../lib/project-store';
import { useStore } from '../lib/store';
import { toastError } from '../lib/toast-store';
import { Icon } from '../ui/icon';
import { IconButton } from '../ui/icon-button';
import { Menu, type MenuEntry } from '../ui/menu';
import type { MenuAnchor } from '../ui/menu-place';
import type { PaneName } from './layout';
import { arrangement } from './layout-store';
import { overlayStore } from './overlay-store';
import { registry } from './registry';
import { shortcutHint } from './shortcut-hint';

export function TitleBar() {
  const hasProject = useStore(projectStore, (project) => project !== null);
  return (
    <header className="title-bar">
      <div className="title-left">
        <WindowHeading />
        <Icon name="lathe" className="ui-agent" />
        <ProjectCrumb />
        <BranchName />
      </div>
      <SearchField hasProject={hasProject} />
      <div className="title-right">
        {hasProject && <PaneToggles />}
        <IconButton
          icon="settings-gear"
          label="Settings"
          keyHint={shortcutHint('view.settings')}
          onClick={() => registry.run('view.settings')}
        />
      </div>
    </header>
  );
}

/** The page's heading for screen readers; the first page has a visible one. */
function WindowHeading() {
  const name = useStore(projectStore, (project) => project?.name ?? null);
  return name === null ? null : <h1 className="ui-sr">{name} in Lathe</h1>;
}

function SearchField({ hasProject }: { hasProject: boolean }) {
  const open = (): void => overlayStore.set({ kind: 'palette', query: hasProject ? '' : '>' });
  return (
    <button type="button" className="title-search" aria-haspopup="dialog" onClick={open}>
      <Icon name="search" size={14} />
      <span className="ui-clip">{hasProject ? 'Go to file or command' : 'Search commands'}</span>
      <kbd className="ui-key">{shortcutHint(hasProject ? 'view.quickOpen' : 'view.commandPalette')}</kbd>
    </button>
  );
}

const TOGGLES: readonly { pane: PaneName; icon: string; label: string; command: string }[] = [
  { pane: 'side', icon: 'layout-sidebar-left', label: 'Side bar', command: 'view.toggleSideBar' },
  { pane: 'panel', icon: 'layout-panel', label: 'Panel', command: 'view.togglePanel' },
  { pane: 'chat', icon: 'layout-sidebar-right', label: 'Toggle chat', command: 'view.toggleChat' },
];

function PaneToggles() {
  return TOGGLES.map((toggle) => <PaneToggle key={toggle.pane} {...toggle} />);
}

function PaneToggle({ pane, icon, label, command }: (typeof TOGGLES)[number]) {
  const shown = useStore(arrangement, (all) => all[pane].place !== 'hidden');
  return (
    <IconButton
      icon={shown ? icon : `${icon}-off`}
      label={label}
      keyHint={shortcutHint(command)}
      className="title-toggle"
      aria-pressed={shown}
      onClick={() => registry.run(command)}
    />
  );
}

function projectEntries(
  recent: readonly ProjectInfo[],
  current: ProjectInfo | null,
  homeDir: string,
): MenuEntry[] {
  const others = recent.filter((project) => project.path !== current?.path && !project.isTour).slice(0, 8);
  const entries: MenuEntry[] = others.map((project) => ({
    id: project.path,
    label: project.name,
    icon: 'folder',
    detail: project.exists ? formatPath(project.path, homeDir) : 'gone',
    disabled: !project.exists,
    onSelect: () => void registry.run('project.open', project.path),
  }));
  if (entries.length > 0) entries.unshift({ id: 'recent', heading: 'Recent' });
  const command = (id: string, label: string, icon: string): MenuEntry => {
    const keyHint = shortcutHint(id);
    return {
      id,
      label,
      icon,
      ...(keyHint === undefined ? {} : { keyHint }),
      onSelect: () => void registry.run(id),
    };
  };
  if (entries.length > 0) entries.push({ id: 'line', separator: true });
  entries.push(command('project.openFolder', 'Open folder…', 'folder-opened'));
  if (current) entries.push(command('project.close', `Close ${current.name}`, 'close'));
  return entries;
}

/** The project's name; it opens the list of other projects. */
function ProjectCrumb() {
  const client = useClient();
  const project = useStore(projectStore);
  const homeDir = useStore(appInfoStore, (info) => info?.homeDir ?? '');
  const [menu, setMenu] = useState<{ anchor: MenuAnchor; entries: MenuEntry[] } | null>(null);
  const open = async (anchor: MenuAnchor): Promise<void> => {
    const recent = await client.project.recent(null);
    setMenu({ anchor, entries: projectEntries(recent, project ?? null, homeDir) });
  };
  return (
    <>
      <button
        type="button"
        className="title-crumb ui-strong"
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        title={project ? formatPath(project.path, homeDir) : 'Open a project'}
        onClick={(event) => {
          open(event.currentTarget.getBoundingClientRect()).catch(toastError);
        }}
      >
        <span className="ui-clip">{project?.name ?? 'Lathe'}</span>
      </button>
      {menu && <Menu label="Projects" {...menu} onClose={() => setMenu(null)} />}
    </>
  );
}

function BranchName() {
  const branch = useStore(projectStore, (project) => project?.branch ?? null);
  const note = useStore(projectStore, (project) => project?.gitNote ?? null);
  const words = branchWords({ branch, gitNote: note });
  if (words === null) return null;
  return (
    <span className="title-crumb title-branch" title={words.title}>
      <Icon name="git-branch" />
      <span className="ui-clip">{words.text}</span>
    </span>
  );
}
