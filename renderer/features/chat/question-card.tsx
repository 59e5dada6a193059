import { useEffect, useId, useRef, useState, type FormEvent, type RefObject } from 'react';
import type { QuestionView } from '../../../shared/model/session-view';
import { pendingApprovals } from '../../lib/approval-store';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useSession } from './chat-context';

/** What the agent wants to know, with its options and room for words of one's own. */
export function Questions() {
  const session = useSession();
  const questions = useStore(session.state, ({ view }) => view.questions);
  const [first] = questions;
  return first ? <QuestionCard key={first.questionId} question={first} more={questions.length - 1} /> : null;
}

/** Takes the focus when somebody asks for what waits and no approval comes before it. */
function useReview(form: RefObject<HTMLFormElement | null>): void {
  useEffect(
    () =>
      windowStore.review.subscribe(() => {
        if (windowStore.review.get() === null || pendingApprovals.get().length > 0) return;
        windowStore.review.set(null);
        form.current?.querySelector<HTMLElement>('button:not([disabled]), input')?.focus();
      }),
    [form],
  );
}

function QuestionCard({ question, more }: { question: QuestionView; more: number }) {
  const client = useClient();
  const titleId = useId();
  const form = useRef<HTMLFormElement>(null);
  useReview(form);
  const [text, setText] = useState('');
  const [sent, setSent] = useState(false);
  const answer = async (value: string): Promise<void> => {
    setSent(true);
    try {
      await client.turn.replyQuestion({ id: question.questionId, answer: value });
    } catch (error) {
      setSent(false);
      toastError(error, 'The answer was not sent');
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') void answer(text.trim());
  };
  return (
    <form ref={form} className="ch-card" aria-labelledby={titleId} onSubmit={submit}>
      <div className="ch-card-head">
        <Icon name="question" size={14} />
        <span id={titleId}>The agent asks</span>
        {more > 0 && <span className="ch-card-end">{`${more} more`}</span>}
      </div>
      <p className="ch-question">{question.question}</p>
      {question.options.length > 0 && (
        <div className="ch-options">
          {question.options.map((option) => (
            <Button key={option} disabled={sent} onClick={() => void answer(option)}>
              {option}
            </Button>
          ))}
        </div>
      )}
      <div className="ch-answer-line">
        <input
          className="ch-answer-field"
          aria-label="Your answer"
          placeholder={question.options.length > 0 ? 'Or answer in your own words' : 'Your answer'}
          value={text}
          disabled={sent}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={sent || text.trim() === ''}>
          Answer
        </Button>
      </div>
    </form>
  );
}
