import {
  useLayoutEffect,
  useId,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names';
import { focusableIn, holdFocus, wrapTab } from './dialog-stack';
import { Icon } from './icon';

export interface DialogProps {
  title: ReactNode;
  /** The accessible name when it must differ from the title. */
  label?: string;
  /** One line under the title. */
  subtitle?: ReactNode;
  /** At the right of the title, for example the time left. */
  meta?: ReactNode;
  icon?: string;
  tone?: 'plain' | 'agent' | 'bad';
  /** Pixels; the window's width is the limit. */
  width?: number;
  /** Called for Escape; without it Escape does nothing. */
  onClose?: () => void;
  /** Gets the focus first; else the first control of the dialog. */
  initialFocus?: RefObject<HTMLElement | null>;
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
}

function useHeldFocus(
  box: RefObject<HTMLElement | null>,
  initial: RefObject<HTMLElement | null> | undefined,
): void {
  // Before the next key arrives: none may still reach what lies under the dialog.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const before = document.activeElement;
    const body = element.querySelector<HTMLElement>('.ui-dialog-body');
    const first = (body && focusableIn(body)[0]) ?? focusableIn(element)[0] ?? element;
    const release = holdFocus(element, before);
    (initial?.current ?? first).focus();
    return release;
  }, [box, initial]);
}

/** A modal box over the window: holds the focus, gives it back when it closes, wraps Tab. */
export function Dialog(props: DialogProps) {
  const { title, label, tone = 'plain', width, onClose, initialFocus, footer, className, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const titleId = useId();
  useHeldFocus(box, initialFocus);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape' && onClose && !event.nativeEvent.isComposing) onClose();
    if (event.key !== 'Tab' || !box.current) return;
    const target = wrapTab(box.current, document.activeElement, event.shiftKey);
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
  const name = label === undefined ? { 'aria-labelledby': titleId } : { 'aria-label': label };
  const style: CSSProperties | undefined =
    width === undefined ? undefined : ({ '--dialog-width': `${width}px` } as CSSProperties);
  return createPortal(
    <div className="ui-scrim">
      <div
        {...name}
        ref={box}
        role="dialog"
        aria-modal="true"
        tabIndex={-1}
        className={classNames('ui-dialog', `ui-dialog-${tone}`, className)}
        style={style}
        onKeyDown={onKeyDown}
      >
        <DialogHead {...props} title={title} titleId={titleId} />
        <div className="ui-dialog-body">{children}</div>
        {footer !== undefined && <div className="ui-dialog-foot">{footer}</div>}
      </div>
    </div>,
    document.body,
  );
}

function DialogHead({ title, titleId, icon, subtitle, meta }: DialogProps & { titleId: string }) {
  return (
    <div className="ui-dialog-head">
      {icon !== undefined && (
        <span className="ui-dialog-sign">
          <Icon name={icon} />
        </span>
      )}
      <div className="ui-grow">
        <h2 className="ui-dialog-title" id={titleId}>
          {title}
        </h2>
        {subtitle !== undefined && <div className="ui-dialog-by">{subtitle}</div>}
      </div>
      {meta !== undefined && <span className="ui-dialog-meta">{meta}</span>}
    </div>
  );
}
