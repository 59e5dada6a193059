import type { PathChange } from '../../../../shared/model/change';

export const isSameState = (one: PathChange['before'], other: PathChange['after']): boolean => {
  if (one === null || other === null) return one === other;
  return one.hash === other.hash && one.kind === other.kind && one.mode === other.mode;
};
