import { memo } from 'react';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { Icon } from '../../ui/icon';
import { useChat, useSession } from './chat-context';
import { endWords, type EndAction, type EndItem, type EndWords } from './end-words';
import { modelPickerStore } from './model-picker-store';
import { ReceiptCard } from './receipt-card';
import { TurnUndo } from './undo-actions';

const ACTION_NAMES: Readonly<Record<EndAction, string>> = {
  retry: 'Retry',
  continue: 'Continue',
  settings: 'Open settings',
  model: 'Choose model',
};

/** How a turn ended. */
export const EndRow = memo(function EndRow({ item }: { item: EndItem }) {
  const words = endWords(item);
  return (
    <>
      {item.receipt && <ReceiptCard receipt={item.receipt} />}
      {words.tone !== 'done' && <BrokenEnd item={item} words={words} />}
      <div className="ch-end-line">
        {words.tone === 'done' && <span className="ch-end-done">{words.title}</span>}
        <span className="ch-end-actions">
          <TurnUndo turnId={item.turnId} />
        </span>
      </div>
    </>
  );
});

/** Only the last turn offers to go on. */
function BrokenEnd({ item, words }: { item: EndItem; words: EndWords }) {
  const session = useSession();
  const isLast = useStore(
    session.state,
    ({ view }) => view.live === null && view.items.at(-1)?.key === item.key,
  );
  const actions = isLast ? <EndActions actions={words.actions} /> : undefined;
  if (words.tone === 'error') {
    return (
      <ErrorBox title={words.title} actions={actions}>
        {[words.kept, words.hint].filter((line) => line !== null).join(' ')}
      </ErrorBox>
    );
  }
  return (
    <div className="ch-notice ch-end">
      <Icon name="debug-stop" size={14} className="ui-muted" />
      <span>
        {words.title}
        <span className="ui-soft">{` ${[words.kept, words.hint].filter((line) => line !== null).join(' ')}`}</span>
      </span>
      {actions && <span className="ch-notice-end">{actions}</span>}
    </div>
  );
}

function EndActions({ actions }: { actions: readonly EndAction[] }) {
  const client = useClient();
  const session = useSession();
  const { onOpenProviderSetup } = useChat();
  const run = (action: EndAction): void => {
    if (action === 'settings') onOpenProviderSetup();
    else if (action === 'model') modelPickerStore.set({ open: true });
    else client.turn.resume({ sessionId: session.id, how: action }).catch(toastError);
  };
  return (
    <>
      {actions.map((action) => (
        <Button key={action} onClick={() => run(action)}>
          {ACTION_NAMES[action]}
        </Button>
      ))}
    </>
  );
}
