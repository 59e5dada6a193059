import { z } from 'zod';

/** What git is in the middle of in a repository, waiting for a person to go on. */
export const GitDoing = z.enum([
  'merging',
  'rebasing',
  'applying patches',
  'cherry-picking',
  'reverting',
  'bisecting',
]);
export type GitDoing = z.infer<typeof GitDoing>;

/** What there is to say of a repository beside its branch; null when all is as usual. */
export const GitNote = z.union([GitDoing, z.enum(['detached', 'bare'])]).nullable();
export type GitNote = z.infer<typeof GitNote>;
