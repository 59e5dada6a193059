import type { Contract, DomainName } from '../../shared/contract/contract';
import type { CallContext, RequestSpec } from '../../shared/contract/define';
import { fromErrorShape } from '../../shared/error';
import type { z } from 'zod';
import type { Router } from '../rpc/router';
import type { Schema } from '../../shared/schema';

type RequestName<D extends DomainName> = {
  [K in keyof Contract[D]['spec']]: Contract[D]['spec'][K] extends RequestSpec ? K : never;
}[keyof Contract[D]['spec']] &
  string;

type OutputOf<S> = S extends RequestSpec<Schema, infer O> ? z.output<O> : never;

/** Calls a channel of the contract from inside the host. Input is whatever a script sent: the router checks it. */
export type ApiCaller = <D extends DomainName, N extends RequestName<D>>(
  domain: D,
  name: N,
  input: unknown,
) => Promise<OutputOf<Contract[D]['spec'][N]>>;

/** @throws AppError what the channel failed with */
export const createApiCaller =
  (router: Router, context: CallContext): ApiCaller =>
  async (domain, name, input) => {
    const envelope = await router.dispatch(`${domain}.${name}`, input, context);
    if (!envelope.ok) throw fromErrorShape(envelope.error);
    return envelope.value as never;
  };
