/** The copper block at the end of a text that is being written. */
export function StreamTip() {
  return <span className="md-tip" aria-hidden="true" />;
}
