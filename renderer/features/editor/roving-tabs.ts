/** The tab that a key in the row of tabs goes to; null when the key means nothing there. */
export function rovingTarget(
  key: string,
  tabs: readonly { id: string }[],
  active: string | null,
): string | null {
  const at = tabs.findIndex((tab) => tab.id === active);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[key];
  if (to === undefined || tabs.length === 0) return null;
  return tabs[(to + tabs.length) % tabs.length]?.id ?? null;
}
