import { z } from 'zod';
import { NOTE_CHARS, type MemoryPort } from '../../memory/memory-port';
import { defineTool } from '../define';
import { AGENT_ONLY } from './lib/access';

export const createMemoryUpdate = (memory: MemoryPort) =>
  defineTool({
    name: 'memory_update',
    effect: 'interact',
    describe: `Keep one fact about this project for later sessions, in at most ${NOTE_CHARS} characters: decisions, conventions, commands, traps. Never secrets.`,
    input: z.object({ note: z.string().trim().min(1).max(NOTE_CHARS) }),
    modes: AGENT_ONLY,
    subject: () => ({ paths: [] }),
    label: ({ note }) => `Remembered: ${note.replace(/\s+/g, ' ').slice(0, 80)}`,
    run: async ({ note }, { sessionId }) => ({ text: `Kept: ${await memory.update(sessionId, note)}` }),
  });
