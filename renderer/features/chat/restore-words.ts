import type { UndoResult } from '../../../shared/model/change';

export type RestoreWhat = 'files' | 'chat' | 'both';

export const RESTORE_CHOICES: readonly { value: RestoreWhat; label: string; text: string }[] = [
  {
    value: 'both',
    label: 'Files and chat',
    text: 'The chat ends before this message, and what the agent changed since is taken back.',
  },
  {
    value: 'files',
    label: 'Files only',
    text: 'What the agent changed since is taken back. The chat stays.',
  },
  {
    value: 'chat',
    label: 'Chat only',
    text: 'The chat ends before this message, and the agent forgets it. Files stay as they are.',
  },
];

/** Both, unless there is no file to take back. */
export const startingChoice = (preview: UndoResult | null): RestoreWhat =>
  preview && preview.files.length === 0 ? 'chat' : 'both';

/** What stays and what does not, before it is done. */
export function filesWords({ files }: UndoResult): string {
  if (files.length === 0) return 'The agent has changed no files since.';
  const stays = 'Your own later changes stay.';
  const conflicts = files.filter(({ outcome }) => outcome === 'conflict').length;
  if (conflicts === 0) return stays;
  const these = conflicts === 1 ? 'One file has' : `${conflicts} files have`;
  return `${stays} ${these} later changes in the same lines: left alone, and you decide line by line afterwards.`;
}
