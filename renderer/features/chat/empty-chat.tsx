import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';

const SUGGESTIONS = [
  {
    label: 'Explain this project',
    text: 'Explain this project: what it does, how it is built and where to start reading.',
  },
  {
    label: 'Find a failing test',
    text: 'Run the tests, find one that fails and explain why. Change nothing yet.',
  },
] as const;

/** Nothing was said yet: how to begin, and two beginnings that go into the box to be read before they are sent. */
export function EmptyChat() {
  return (
    <div className="ch-empty">
      <EmptyState
        icon="comment-discussion"
        title="No messages yet"
        actions={SUGGESTIONS.map(({ label, text }) => (
          <Button key={label} onClick={() => windowStore.draft.set({ text })}>
            {label}
          </Button>
        ))}
      >
        Say what to change. Type <kbd className="ui-key-box">@</kbd> to add a file and{' '}
        <kbd className="ui-key-box">/</kbd> for a command.
      </EmptyState>
    </div>
  );
}
