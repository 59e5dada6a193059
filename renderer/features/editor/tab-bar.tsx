import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type WheelEvent } from 'react';
import { useStore } from '../../lib/store';
import { rovingTarget } from './roving-tabs';
import type { Editor } from './editor';
import { editorState } from './editor-state';
import { TabMenu, type TabMenuPlace } from './tab-menu';
import { TabView } from './tab-view';
import { tabHints } from './tabs';

/** The open files in a row that scrolls when it has to. */
export function TabBar({ editor }: { editor: Editor }) {
  const { tabs, active } = useStore(editorState, (state) => state.tabs);
  const hints = useMemo(() => tabHints(tabs), [tabs]);
  const [menu, setMenu] = useState<TabMenuPlace | null>(null);
  const [before, setBefore] = useState<string | null>(null);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active, tabs.length]);
  const onWheel = (event: WheelEvent<HTMLDivElement>): void => {
    if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY;
  };
  const focusActive = (): void => {
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const focused = event.target instanceof HTMLElement ? event.target.dataset['tab'] : undefined;
    const target = rovingTarget(event.key, tabs, active);
    if (target !== null) {
      editor.activate(target);
      focusActive();
    } else if (event.key === 'Delete' && focused !== undefined) {
      void editor.close([focused]).then(focusActive);
    } else return;
    event.preventDefault();
  };
  return (
    <div
      ref={row}
      role="tablist"
      aria-label="Open files"
      className="editor-tabs"
      onWheel={onWheel}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <TabView
          key={tab.id}
          editor={editor}
          tab={tab}
          active={tab.id === active}
          hint={hints.get(tab.id)}
          dropBefore={before === tab.id}
          onDropBefore={setBefore}
          onMenu={setMenu}
        />
      ))}
      <div
        className="editor-tabs-rest"
        data-drop={before === '' || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setBefore('');
        }}
        onDragLeave={() => setBefore(null)}
        onDrop={(event) => {
          setBefore(null);
          editor.moveTab(event.dataTransfer.getData('application/x-lathe-tab'), null);
        }}
      />
      {menu && <TabMenu editor={editor} place={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
