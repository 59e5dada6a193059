import { createPortal } from 'react-dom';
import { shallowEqual, useStore } from '../lib/store';
import { dismissToast, toastStore, type ToastEntry } from '../lib/toast-store';
import { Button } from '../ui/button';
import { Toast } from '../ui/toast';

const MOST = 3;
const shownToasts = (toasts: readonly ToastEntry[]): readonly ToastEntry[] =>
  toasts.filter((toast) => toast.shown).slice(-MOST);

/** Notices at the lower right corner of the editor, the newest last. */
export function ToastStack() {
  const toasts = useStore(toastStore, shownToasts, shallowEqual);
  return createPortal(
    <div className="toast-stack" role="region" aria-label="Notices">
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
