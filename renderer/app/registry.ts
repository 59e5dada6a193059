import { toastError } from '../lib/toast-store';
import { createCommandRegistry } from './command-registry';

/** The window's commands; failures of theirs become notices. */
export const registry = createCommandRegistry(toastError);
