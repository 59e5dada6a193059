import { classNames } from './class-names';

export interface SpinnerProps {
  /** What is going on; leave it out when text beside the spinner says so. */
  label?: string;
  /** Copper for the agent's work, blue for work that the user started. */
  tone?: 'agent' | 'accent';
}

export function Spinner({ label, tone = 'agent' }: SpinnerProps) {
  const role = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return <span {...role} className={classNames('ui-spinner', tone === 'accent' && 'ui-spinner-accent')} />;
}
