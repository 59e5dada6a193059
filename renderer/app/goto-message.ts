import { z } from 'zod';
import type { Client } from '../../shared/contract/contract';
import { projectStore } from '../lib/project-store';
import { windowStore } from '../lib/window-store';

/** Another project is a fresh page: where it is to go is kept for that one page load. */
const KEY = 'lathe.goto';

const Place = z.object({
  projectId: z.string(),
  sessionId: z.string(),
  position: z.int().nullable(),
});
type Place = z.infer<typeof Place>;

function show({ sessionId, position }: Place): void {
  windowStore.activeSession.set(sessionId);
  if (position !== null) windowStore.message.set({ sessionId, position });
}

/**
 * Shows a session at a message. One of another project opens that project first.
 *
 * @returns false when the page starts afresh for it
 */
export async function goToMessage(
  client: Pick<Client, 'project'>,
  place: Place & { projectPath: string },
): Promise<boolean> {
  if (projectStore.get()?.id === place.projectId) {
    show(place);
    return true;
  }
  sessionStorage.setItem(KEY, JSON.stringify(place));
  try {
    await client.project.open({ path: place.projectPath });
    return false;
  } catch (error) {
    sessionStorage.removeItem(KEY);
    throw error;
  }
}

/** Goes where the page before this one wanted to; once the right project is known to be open. */
export function arriveAtMessage(): () => void {
  const arrive = (): void => {
    const text = sessionStorage.getItem(KEY);
    const project = projectStore.get();
    if (text === null || !project) return;
    sessionStorage.removeItem(KEY);
    const place = Place.safeParse(parse(text));
    if (place.success && place.data.projectId === project.id) show(place.data);
  };
  arrive();
  return projectStore.subscribe(arrive);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
