import type { Handlers } from '../../shared/contract/contract';
import type { Core } from '../core/core';
import { agentApi } from './agent-api';
import { appApi } from './app-api';
import { changesApi } from './changes-api';
import { contextApi } from './context-api';
import { filesApi } from './files-api';
import { modelApi } from './model-api';
import { planApi } from './plan-api';
import { projectApi } from './project-api';
import { sessionApi } from './session-api';
import { settingsApi } from './settings-api';
import { stateApi } from './state-api';
import { terminalApi } from './terminal-api';
import { turnApi } from './turn-api';

/** The contract over one core; every host serves exactly these. */
export const createHandlers = (core: Core): Handlers => ({
  app: appApi(core),
  agent: agentApi(core),
  changes: changesApi(core),
  project: projectApi(core),
  plan: planApi(core),
  files: filesApi(core),
  session: sessionApi(core),
  turn: turnApi(core),
  context: contextApi(core),
  terminal: terminalApi(core),
  model: modelApi(core),
  settings: settingsApi(core),
  state: stateApi(core),
});
