import type { HandlersOf } from '../../shared/contract/define';
import type { state } from '../../shared/contract/state';
import type { Core } from '../core/core';

const scopeOf = (core: Core, scope: 'global' | 'project'): string =>
  scope === 'global' ? 'window' : `project:${core.requireProject().info.id}`;

export const stateApi = (core: Core): HandlersOf<typeof state> => ({
  get: ({ scope, key }) => ({ value: core.store.state.get(scopeOf(core, scope), key) ?? null }),
  set: ({ scope, key, value }) => {
    core.store.state.set(scopeOf(core, scope), key, value);
    return null;
  },
});
