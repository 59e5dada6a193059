import { VisibleText } from '../../lib/text/visible-text';

/** One line with code in backticks; nothing else is markup, and nothing in it can hide. */
export function LabelText({ text }: { text: string }) {
  const parts = text.split('`');
  // An odd number of backticks pairs up to the last one, which then is text.
  const paired = parts.length % 2 === 1;
  const shown = paired ? parts : [...parts.slice(0, -2), `${parts.at(-2) ?? ''}\`${parts.at(-1) ?? ''}`];
  return (
    <>
      {shown.map((part, i) =>
        i % 2 === 1 ? (
          <code key={i}>
            <VisibleText text={part} />
          </code>
        ) : (
          <VisibleText key={i} text={part} />
        ),
      )}
    </>
  );
}
