import type { Core } from '../core/core';
import { toErrorShape } from '../../shared/error';

/** Opens the folder that was asked for, else the project that was open last; without either the window starts empty. */
export async function openFirstProject(core: Core, wanted: string | null): Promise<void> {
  const [last] = wanted === null ? await core.projects.recent() : [];
  const path = wanted ?? (last?.exists ? last.path : null);
  if (path === null) return;
  try {
    await core.openProject(path);
  } catch (error) {
    const { message, hint } = toErrorShape(error);
    core.log.warn('the first project could not be opened', { error: message });
    core.startNotices.push([`The last project could not be opened: ${message}`, hint ?? ''].join(' ').trim());
  }
}
