/** Joins class names and leaves out what is false, null or empty. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => name).join(' ');
}
