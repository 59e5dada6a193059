import type { Client } from '../../shared/contract/contract';
import type { ProjectInfo } from '../../shared/contract/project';
import { connectApprovals } from '../lib/approval-store';
import { connectAsides } from '../lib/aside-store';
import { currentKeyPlatform } from '../lib/keys';
import { persist } from '../lib/persist';
import { appInfoStore, connectProject, projectStore } from '../lib/project-store';
import { changeFeedOf } from '../lib/review/change-feed';
import { connectPending } from '../lib/review/pending-store';
import { connectSettings, settingsStore } from '../lib/settings-store';
import { applyLook } from '../lib/theme';
import { pushToast, toastError } from '../lib/toast-store';
import { dialogIsOpen } from '../ui/dialog-stack';
import { archiveCommands } from './commands/archive-commands';
import { changeCommands } from './commands/change-commands';
import { editorCommands } from './commands/editor-commands';
import { projectCommands } from './commands/project-commands';
import { reviewCommands } from './commands/review-commands';
import { sessionCommands } from './commands/session-commands';
import { settingCommands } from './commands/setting-commands';
import { viewCommands } from './commands/view-commands';
import { followRequests } from './follow-requests';
import { arriveAtMessage } from './goto-message';
import { connectionStore } from './connection-store';
import { attachKeymap } from './keymap';
import { Layout } from './layout';
import { followViewport, layoutStore } from './layout-store';
import { watchAttention } from './notify';
import { recentCommands, recentFiles, RecentKeys } from './palette/recents';
import { watchProjectOffers } from './project-offers';
import { registry } from './registry';
import { watchErrors } from './report-error';
import { guardWindow, leaveFreely } from './window-guard';

type Stop = () => void;

/** The theme, density and motion of the settings, whenever they change. */
function followLook(): Stop {
  let values = settingsStore.get().values;
  let stop = applyLook(values);
  const leave = settingsStore.subscribe(() => {
    if (values === settingsStore.get().values) return;
    values = settingsStore.get().values;
    stop();
    stop = applyLook(values);
  });
  return () => {
    leave();
    stop();
  };
}

/** Another project is another window's worth of state: the page starts afresh on it. */
function reloadOnProjectChange(): Stop {
  let known: ProjectInfo | null | undefined = projectStore.get();
  return projectStore.subscribe(() => {
    const now = projectStore.get();
    if (known && (known.id !== now?.id || known.path !== now.path)) {
      leaveFreely();
      location.reload();
    }
    known = now;
  });
}

const problemTitle = (problem: string): string =>
  /rules\.jsonc\b/.test(problem) ? 'A rule is not used' : 'A setting is not used';

function showNotices(client: Client): Stop {
  const tell = (problems: readonly string[]): void => {
    for (const [title, [first = '', ...others]] of Map.groupBy(problems, problemTitle)) {
      const more = others.length === 0 ? '' : ` The settings page tells ${others.length} more.`;
      pushToast({ tone: 'warn', title, text: `${first}${more}` });
    }
  };
  let problems: readonly string[] = [];
  const leave = [
    client.app.notices.subscribe(null, (notice) => pushToast(notice)),
    appInfoStore.subscribe(() => {
      for (const title of appInfoStore.get()?.startNotices ?? []) pushToast({ tone: 'warn', title });
    }),
    settingsStore.subscribe(() => {
      const now = settingsStore.get().problems;
      tell(now.filter((problem) => !problems.includes(problem)));
      problems = now;
    }),
  ];
  return () => {
    for (const stop of leave) stop();
  };
}

/** Files opened before are remembered per project, so they wait until there is one. */
function rememberFiles(client: Client): Stop {
  let stop: Stop | null = null;
  const start = (): void => {
    if (stop || !projectStore.get()) return;
    stop = persist(recentFiles, {
      client,
      scope: 'project',
      key: 'quickOpen.recent',
      schema: RecentKeys,
      onError: toastError,
    });
  };
  const leave = projectStore.subscribe(start);
  start();
  return () => {
    leave();
    stop?.();
  };
}

function registerCommands(client: Client): Stop {
  return registry.register([
    ...viewCommands,
    ...projectCommands(client),
    ...editorCommands,
    ...sessionCommands(client),
    ...archiveCommands(client),
    ...reviewCommands(client),
    ...changeCommands(client),
    ...settingCommands(client),
  ]);
}

/** What happened while the connection was gone is not told again. */
function lookAgainAfterLoss(client: Client): Stop {
  let before = connectionStore.get();
  return connectionStore.subscribe(() => {
    const now = connectionStore.get();
    if (now === 'open' && before !== 'open') changeFeedOf(client).note(null);
    before = now;
  });
}

/** Ties the window's stores, keys and commands to the host. */
export function connect(client: Client): Stop {
  const global = { client, scope: 'global' as const, onError: toastError };
  const stops: Stop[] = [
    registerCommands(client),
    followViewport(),
    followLook(),
    watchErrors(client),
    showNotices(client),
    arriveAtMessage(),
    followRequests(),
    reloadOnProjectChange(),
    connectSettings(client, toastError),
    connectProject(client, toastError),
    persist(layoutStore, { ...global, key: 'layout', schema: Layout }),
    persist(recentCommands, { ...global, key: 'palette.recent', schema: RecentKeys }),
    rememberFiles(client),
    guardWindow(client),
    watchAttention(client),
    watchProjectOffers(client),
    connectApprovals(client),
    connectAsides(client),
    connectPending(client),
    lookAgainAfterLoss(client),
    attachKeymap(registry, currentKeyPlatform(), dialogIsOpen),
    client.app.commands.subscribe(null, ({ command, argument }) => {
      if (!registry.run(command, argument))
        pushToast({ tone: 'info', title: 'That can’t be done right now' });
    }),
  ];
  return () => {
    for (const stop of stops.reverse()) stop();
  };
}
