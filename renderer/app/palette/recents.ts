import { z } from 'zod';
import { createStore } from '../../lib/store';
import { withRecent } from './palette-rows';

export const RecentKeys = z.array(z.string()).max(50);
const KEPT_COMMANDS = 8;
const KEPT_FILES = 20;

/** Command ids, newest first; remembered for all projects. */
export const recentCommands = createStore<string[]>([]);
/** Workspace paths, newest first; remembered with the project. */
export const recentFiles = createStore<string[]>([]);

export const noteCommand = (id: string): void =>
  recentCommands.update((recent) => withRecent(recent, id, KEPT_COMMANDS));
export const noteFile = (path: string): void =>
  recentFiles.update((recent) => withRecent(recent, path, KEPT_FILES));
