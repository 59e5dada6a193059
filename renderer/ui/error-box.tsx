import type { ReactNode } from 'react';
import { AppError, toErrorShape } from '../../shared/error';
import { Icon } from './icon';

export interface ErrorBoxProps {
  /** What happened, as one line. Without it the error's own message is the title. */
  title?: string;
  /** Anything thrown; an AppError's message and hint are shown. */
  error?: unknown;
  /** What was kept, in words of the caller. */
  children?: ReactNode;
  /** What the reader can do. */
  actions?: ReactNode;
}

interface ErrorWords {
  message: string | undefined;
  hint: string | undefined;
}

function wordsOf(error: unknown): ErrorWords {
  if (error === undefined || error === null) return { message: undefined, hint: undefined };
  if (error instanceof AppError) return { message: error.message, hint: error.hint };
  return { message: toErrorShape(error).message, hint: undefined };
}

/** Stands in place of what failed and is announced once. */
export function ErrorBox({ title, error, children, actions }: ErrorBoxProps) {
  const { message, hint } = wordsOf(error);
  const lines = [title === undefined ? undefined : message, hint].filter((line) => line !== undefined);
  return (
    <div className="ui-error" role="alert">
      <div className="ui-error-title">
        <Icon name="error" />
        <span>{title ?? message}</span>
      </div>
      {lines.length > 0 && <div className="ui-error-text">{lines.join(' ')}</div>}
      {children !== undefined && <div className="ui-error-text">{children}</div>}
      {actions !== undefined && <div className="ui-error-actions">{actions}</div>}
    </div>
  );
}
