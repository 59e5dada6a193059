import type { CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import { projectStore } from '../lib/project-store';
import { shallowEqual, useStore } from '../lib/store';
import { dismissToast, toastStore, type ToastEntry } from '../lib/toast-store';
import { Button } from '../ui/button';
import { Toast } from '../ui/toast';
import type { Arrangement } from './layout';
import { arrangement } from './layout-store';

const MOST = 3;
const shownToasts = (toasts: readonly ToastEntry[]): readonly ToastEntry[] =>
  toasts.filter((toast) => toast.shown).slice(-MOST);

/** Keeps notices off the chat, where approvals stand, unless the chat leaves no room beside it. */
const cornerOf = ({ chat, panel }: Arrangement): { right: number; bottom: number } => {
  const shown = chat.place !== 'hidden' && window.innerWidth - chat.size >= 280;
  return { right: shown ? chat.size : 0, bottom: panel.place === 'hidden' ? 0 : panel.size };
};
const NO_PANES = { right: 0, bottom: 0 };

/** Notices at the lower right corner of the editor, the newest last. */
export function ToastStack() {
  const toasts = useStore(toastStore, shownToasts, shallowEqual);
  const corner = useStore(arrangement, cornerOf, shallowEqual);
  const empty = useStore(projectStore, (project) => project === null);
  const { right, bottom } = empty ? NO_PANES : corner;
  const style = { '--toast-right': `${right}px`, '--toast-bottom': `${bottom}px` } as CSSProperties;
  return createPortal(
    <div className="toast-stack" style={style} role="region" aria-label="Notices">
      {toasts.map((toast) => (
        <Toast
          key={toast.id}
          tone={toast.tone}
          title={toast.title}
          text={toast.text}
          onDismiss={() => dismissToast(toast.id)}
          actions={
            toast.actions.length === 0
              ? undefined
              : toast.actions.map((action) => (
                  <Button
                    key={action.label}
                    onClick={() => {
                      dismissToast(toast.id);
                      action.run();
                    }}
                  >
                    {action.label}
                  </Button>
                ))
          }
        />
      ))}
    </div>,
    document.body,
  );
}
