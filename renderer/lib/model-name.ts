/** `provider/model` taken apart at the first slash: model names have slashes of their own. */
export function splitModel(value: string): { provider: string; model: string } {
  const cut = value.indexOf('/');
  return cut === -1
    ? { provider: '', model: value }
    : { provider: value.slice(0, cut), model: value.slice(cut + 1) };
}

/** A provider's name without what stands in brackets behind it: the address goes where there is room for it. */
export const shortProvider = (name: string): string => name.replace(/\s*\([^()]*\)$/, '') || name;
