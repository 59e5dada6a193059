/** What the harness puts behind the words of the user, or sends in the user's place. */
const BLOCK = /^<(context|system-reminder)>[\s\S]*<\/\1>$/;
const FIRST_BLOCK = /\n\n<(?:context|system-reminder)>\n/;

/** True for a message in the user's role that the harness wrote. */
export const isHarnessText = (content: string): boolean => BLOCK.test(content.trimEnd());

/** The user's own words in a message for the model; '' for one that the harness wrote. */
export function saidText(content: string): string {
  const trimmed = content.trimEnd();
  if (BLOCK.test(trimmed)) return '';
  if (!/<\/(?:context|system-reminder)>$/.test(trimmed)) return content;
  const cut = FIRST_BLOCK.exec(content);
  return cut ? content.slice(0, cut.index) : content;
}
