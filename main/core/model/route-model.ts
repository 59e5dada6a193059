import { AppError } from '../../../shared/error';
import type { ModelDirectory, ModelWish, ResolvedModel } from './port';

/** A session whose model is left to the routing, as one that follows the default is. */
export const AUTO_MODEL = 'auto';

/** Models of the "auto" routing as `provider/model`; '' = none, then the main one does it. */
export interface ModelRoutes {
  fast: string;
  flagship: string;
}

/**
 * The model for a step where the user left the choice open: that of the wished kind if one is set up, else the usual one.
 * `reason` says what was chosen and why.
 *
 * @param usual finds the main model
 * @throws AppError as `usual`
 */
export async function routeModel(
  models: ModelDirectory,
  usual: () => Promise<ResolvedModel>,
  wish: ModelWish | undefined,
  routes: ModelRoutes,
): Promise<ResolvedModel> {
  if (wish === undefined || (routes.fast === '' && routes.flagship === '')) return usual();
  const name = wish.tier === 'main' ? '' : routes[wish.tier];
  if (name === '') return because(await usual(), `auto: the main model for ${wish.why}`);
  try {
    return because(await models.resolve(name), `auto: the ${wish.tier} model for ${wish.why}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return because(await usual(), `auto: the main model, since the ${wish.tier} model ${name} can't be used`);
  }
}

const because = (model: ResolvedModel, reason: string): ResolvedModel => ({
  ...model,
  reason: reason.replace('for after', 'after'),
});
