import { agent } from './agent';
import { app } from './app';
import { changes } from './changes';
import { context } from './context';
import type { ClientOf, HandlersOf } from './define';
import { files } from './files';
import { model } from './model';
import { plan } from './plan';
import { project } from './project';
import { session } from './session';
import { settings } from './settings';
import { state } from './state';
import { terminal } from './terminal';
import { turn } from './turn';

/** Every domain of the wire. Channel names are `<domain>.<name>`; hosts, preload and renderer derive all from here. */
export const contract = {
  app,
  agent,
  changes,
  project,
  plan,
  files,
  session,
  turn,
  context,
  terminal,
  model,
  settings,
  state,
} as const;
export type Contract = typeof contract;
export type DomainName = keyof Contract;

export type Client = { readonly [D in DomainName]: ClientOf<Contract[D]> };
export type Handlers = { readonly [D in DomainName]: HandlersOf<Contract[D]> };
