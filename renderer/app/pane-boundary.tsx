import { Component, Suspense, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { ErrorBox } from '../ui/error-box';

interface PaneBoundaryProps {
  /** The pane's name in the sentence "Chat stopped working". */
  name: string;
  onError: (error: unknown, stack: string | undefined) => void;
  children: ReactNode;
}

interface PaneBoundaryState {
  error: unknown;
  failed: boolean;
  /** Another key makes the pane start afresh. */
  round: number;
}

/** Keeps a failure inside its pane; the other panes go on working. React offers this to classes only. */
export class PaneBoundary extends Component<PaneBoundaryProps, PaneBoundaryState> {
  override state: PaneBoundaryState = { error: null, failed: false, round: 0 };

  static getDerivedStateFromError(error: unknown): Partial<PaneBoundaryState> {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError(error, info.componentStack ?? undefined);
  }

  private readonly reload = (): void =>
    this.setState((state) => ({ error: null, failed: false, round: state.round + 1 }));

  override render(): ReactNode {
    if (this.state.failed) {
      return (
        <div className="pane-failed">
          <ErrorBox
            title={`${this.props.name} stopped working`}
            error={this.state.error}
            actions={
              <>
                <Button onClick={this.reload}>Reload pane</Button>
                <Button variant="quiet" onClick={() => location.reload()}>
                  Reload window
                </Button>
              </>
            }
          >
            The other panes go on, and what was saved is safe.
          </ErrorBox>
        </div>
      );
    }
    return (
      <Suspense key={this.state.round} fallback={<PaneSkeleton name={this.props.name} />}>
        {this.props.children}
      </Suspense>
    );
  }
}

/** Appears only when loading takes longer than a blink. */
function PaneSkeleton({ name }: { name: string }) {
  return (
    <div className="pane-skeleton" role="status" aria-label={`Loading ${name.toLowerCase()}`}>
      <span />
      <span />
      <span />
    </div>
  );
}
