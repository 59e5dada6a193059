import type { ModelMessage } from '../../model/port';

const OPEN = '<system-reminder>';
const CLOSE = '</system-reminder>';

/** A hint of the harness as a message of the history: appended, so that the prefix stays as it was. */
export const reminderMessage = (text: string): ModelMessage => ({
  role: 'user',
  content: `${OPEN}\n${text}\n${CLOSE}`,
});

/** True for messages that the harness wrote and not the user. */
export const isReminder = (message: ModelMessage): boolean =>
  message.role === 'user' && message.content.startsWith(OPEN) && message.content.endsWith(CLOSE);
