import { classNames } from './class-names';

export interface IconProps {
  /** A codicon's name (`git-branch`), or `lathe` for the product's own mark. */
  name: string;
  /** Pixels; codicons are drawn on a grid of 16. */
  size?: number;
  className?: string;
  /** Set it when the icon says something that no text beside it says. */
  label?: string;
}

/** A sign of one colour that takes the text's colour; hidden from screen readers unless it has a label. */
export function Icon({ name, size = 16, className, label }: IconProps) {
  const role = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  if (name === 'lathe') return <LatheMark size={size} className={className} role={role} />;
  return (
    <span
      {...role}
      className={classNames('ui-icon', 'codicon', `codicon-${name}`, className)}
      style={{ fontSize: size }}
    />
  );
}

function LatheMark({
  size,
  className,
  role,
}: {
  size: number;
  className?: string | undefined;
  role: object;
}) {
  return (
    <svg
      {...role}
      className={classNames('ui-icon', className)}
      viewBox="0 0 16 16"
      width={size}
      height={size}
    >
      <circle cx="7" cy="8" r="5" />
      <circle cx="7" cy="8" r="1.1" fill="currentColor" stroke="none" />
      <path d="M15 12.6 10.6 11.4" />
    </svg>
  );
}
