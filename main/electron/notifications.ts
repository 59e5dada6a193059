import { Notification } from 'electron';

export interface Notice {
  title: string;
  body: string;
  sessionId: string | null;
}

export interface NotifierOptions {
  /** The user's setting; asked each time. */
  wanted: () => boolean;
  /** The user clicked: show the window, with this session. */
  onClick: (sessionId: string | null) => void;
}

/** Shows notices of the operating system; a newer one of the same session takes the place of the older. */
export function createNotifier({ wanted, onClick }: NotifierOptions): (notice: Notice) => void {
  // A notification that nobody holds is collected, and its click with it.
  const shown = new Map<string | null, Notification>();
  return ({ title, body, sessionId }) => {
    if (!wanted() || !Notification.isSupported()) return;
    shown.get(sessionId)?.close();
    const notification = new Notification({ title, body });
    const forget = (): void => {
      if (shown.get(sessionId) === notification) shown.delete(sessionId);
    };
    notification.on('click', () => {
      forget();
      onClick(sessionId);
    });
    notification.on('close', forget);
    shown.set(sessionId, notification);
    notification.show();
  };
}
