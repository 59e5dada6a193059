import type { ReactNode } from 'react';
import type { Compared } from '../features/changes/changes-host';
import { toastError } from '../lib/toast-store';
import { Icon } from '../ui/icon';
import { IconButton } from '../ui/icon-button';
import { loadEditor } from './editor-bridge';
import { openFile } from './open-file';
import { pageStore } from './overlay-store';
import { Pane } from './pane';
import { BisectPage, ChangeLogPage, ConflictPage } from './panes';

const close = (): void => pageStore.set('editor');
const openPath = (path: string): void => openFile(path, {});

function compare(texts: Compared): void {
  const open = async (): Promise<void> => {
    const editor = await loadEditor();
    pageStore.set('editor');
    await editor.openDiff(texts);
  };
  open().catch((error: unknown) => toastError(error, `${texts.path} could not be compared`));
}

interface PageTabProps {
  icon: string;
  title: string;
  closeLabel: string;
  children: ReactNode;
}

function PageTab({ icon, title, closeLabel, children }: PageTabProps) {
  return (
    <>
      <div className="page-tabs">
        <div className="page-tab">
          <Icon name={icon} />
          {title}
          <IconButton icon="close" label={closeLabel} small onClick={close} />
        </div>
      </div>
      <Pane name={title}>{children}</Pane>
    </>
  );
}

/** The pages about changes, in the editor's place. */
export function ChangeTabs({ page }: { page: 'changes' | 'conflict' | 'bisect' }) {
  switch (page) {
    case 'changes':
      return (
        <PageTab icon="history" title="Change log" closeLabel="Close change log">
          <ChangeLogPage
            onOpenFile={openPath}
            onCompare={compare}
            onFindFault={() => pageStore.set('bisect')}
          />
        </PageTab>
      );
    case 'bisect':
      return (
        <PageTab icon="beaker" title="What broke a test" closeLabel="Close what broke a test">
          <BisectPage onOpenFile={openPath} onCompare={compare} />
        </PageTab>
      );
    case 'conflict':
      return (
        <PageTab icon="git-merge" title="Conflict" closeLabel="Close conflict">
          <ConflictPage onClose={close} />
        </PageTab>
      );
  }
}
