import { memo, useEffect, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { projectStore } from '../lib/project-store';
import { shallowEqual, useStore } from '../lib/store';
import { StatusBar } from '../features/status/status-bar';
import { ChatArea } from './chat-area';
import { ConnectionBanner } from './connection-banner';
import { EditorArea } from './editor-area';
import { FirstRunPage } from './first-run-page';
import type { PaneName } from './layout';
import { focusPane } from './focus-pane';
import { arrangement, closeSideDrawer, showPane } from './layout-store';
import { Overlays } from './overlays';
import { pageStore } from './overlay-store';
import { Panel } from './panel';
import { preloadPanes } from './panes';
import { Sash } from './sash';
import './shell.css';
import { SideBar } from './side-bar';
import { statusActions } from './status-actions';
import { TitleBar } from './title-bar';
import { ToastStack } from './toast-stack';

// Panes take no props from the shell: they render again for their own reasons only.
const Title = memo(TitleBar);
const Side = memo(SideBar);
const Editor = memo(EditorArea);
const Bottom = memo(Panel);
const Chat = memo(ChatArea);
const Layers = memo(Overlays);
const Status = memo(StatusArea);

function StatusArea() {
  const editorShown = useStore(pageStore, (page) => page === 'editor');
  return <StatusBar actions={statusActions} editorShown={editorShown} />;
}

export function Shell() {
  const empty = useStore(projectStore, (project) => project === null);
  return (
    <div className="shell">
      <Title />
      <ConnectionBanner />
      {empty ? <FirstRunPage /> : <Workbench />}
      <Status />
      <ToastStack />
      <div className="shell-layers">
        <Layers />
      </div>
    </div>
  );
}

/** True from the first time the pane is shown: a pane that was never shown loads nothing, a hidden one keeps its state. */
function useOnceShown(pane: PaneName): boolean {
  const shown = useStore(arrangement, (all) => all[pane].place !== 'hidden');
  const [seen, setSeen] = useState(shown);
  if (shown && !seen) setSeen(true);
  return seen;
}

function Workbench() {
  const placed = useStore(arrangement, (all) => all, shallowEqual);
  const hasSide = useOnceShown('side');
  const hasPanel = useOnceShown('panel');
  const hasChat = useOnceShown('chat');
  useDrawerDismiss();
  useEffect(preloadPanes, []);
  const style = {
    '--side-width': `${placed.side.size}px`,
    '--chat-width': `${placed.chat.size}px`,
    '--panel-height': `${placed.panel.size}px`,
  } as CSSProperties;
  return (
    <main
      className="workbench"
      style={style}
      data-side={placed.side.place}
      data-chat={placed.chat.place}
      data-panel={placed.panel.place}
      onKeyDown={onDrawerKey}
    >
      {hasSide && <Side />}
      {placed.side.place !== 'hidden' && <Sash pane="side" controls="side-bar" />}
      <div className="main-area">
        <Editor />
        {placed.panel.place !== 'hidden' && <Sash pane="panel" controls="panel" />}
        {hasPanel && <Bottom />}
      </div>
      {placed.chat.place !== 'hidden' && <Sash pane="chat" controls="chat" />}
      {hasChat && <Chat />}
    </main>
  );
}

/** Escape in the side bar over the editor puts it away. */
function onDrawerKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const inSide = event.target instanceof Element && event.target.closest('.side-bar') !== null;
  if (!inSide || arrangement.get().side.place !== 'drawer') return;
  event.preventDefault();
  showPane('side', false);
  focusPane('editor');
}

/** So does a press on what lies beside it. */
function useDrawerDismiss(): void {
  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      const outside =
        event.target instanceof Element && event.target.closest('.editor-area, .panel') !== null;
      if (outside) closeSideDrawer();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, []);
}
