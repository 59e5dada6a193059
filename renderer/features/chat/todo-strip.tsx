import { useId, useState } from 'react';
import type { TodoItem } from '../../../shared/model/todo';
import { useMediaQuery } from '../../lib/media-query';
import { useStore } from '../../lib/store';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { useSession } from './chat-context';
import { TODO_SIGNS } from './todo-signs';

/** More segments than this would be slivers. */
const MAX_SEGMENTS = 12;

/** Windows lower than this show the current item alone until the list is opened. */
const LOW_WINDOW = '(max-height: 799px)';

/** What there is to do: count, current item and the next ones; one line when all is done or the window is low. */
export function TodoStrip() {
  const session = useSession();
  const todos = useStore(session.state, ({ view }) => view.todos);
  return todos.length === 0 ? null : <TodoList todos={todos} />;
}

interface Choice {
  open: boolean;
  finished: boolean;
  low: boolean;
}

function TodoList({ todos }: { todos: readonly TodoItem[] }) {
  const listId = useId();
  const counted = todos.filter((item) => item.status !== 'cancelled');
  const done = counted.filter((item) => item.status === 'completed').length;
  const finished = done === counted.length;
  const low = useMediaQuery(LOW_WINDOW);
  const [choice, setChoice] = useState<Choice | null>(null);
  // A choice holds until the list is finished or taken up again, or the window gets room or loses it.
  const holds = choice?.finished === finished && choice.low === low;
  const open = holds ? choice.open : !finished && !low;
  const [withDone, setWithDone] = useState(false);
  const shown = withDone || finished ? todos : todos.filter((item) => item.status !== 'completed');
  const current =
    todos.find((item) => item.status === 'in_progress') ?? todos.find((item) => item.status === 'pending');
  return (
    <div className="ch-todo" role="group" aria-label="To-do">
      <div className="ch-todo-head">
        <Icon name={finished ? 'pass' : 'checklist'} size={14} className={finished ? 'ui-ok' : undefined} />
        <button
          type="button"
          className="ch-todo-count"
          aria-pressed={withDone}
          title={withDone ? 'Hide what is done' : 'Show what is done too'}
          onClick={() => {
            setWithDone(!withDone);
            setChoice({ open: true, finished, low });
          }}
        >{`${done} of ${counted.length} done`}</button>
        {counted.length <= MAX_SEGMENTS && <Segments todos={counted} />}
        {current && (
          <span
            className={classNames('ch-todo-now', 'ui-clip', open && 'ch-todo-now-open')}
            title={current.content}
          >
            {current.content}
          </span>
        )}
        <IconButton
          small
          className="ch-todo-toggle"
          icon={open ? 'chevron-down' : 'chevron-up'}
          label={open ? 'Fold to-do list' : 'Open to-do list'}
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          onClick={() => setChoice({ open: !open, finished, low })}
        />
      </div>
      {open && (
        <ul id={listId} className="ch-todo-list">
          {shown.map((item) => (
            <li key={item.id} className={`ch-todo-item ch-todo-${item.status}`}>
              <Icon name={TODO_SIGNS[item.status].icon} size={14} label={TODO_SIGNS[item.status].word} />
              <span className="ui-clip" title={item.content}>
                {item.content}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Segments({ todos }: { todos: readonly TodoItem[] }) {
  return (
    <span className="ch-todo-bar" aria-hidden="true">
      {todos.map((item) => (
        <i key={item.id} className={`ch-segment-${item.status}`} />
      ))}
    </span>
  );
}
