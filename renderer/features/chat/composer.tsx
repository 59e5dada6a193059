import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { keyLabel } from '../../lib/keys';
import { useSetting } from '../../lib/settings-store';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { IconButton } from '../../ui/icon-button';
import { fromErrorShape } from '../../../shared/error';
import { AgentPicker } from './agent-picker';
import { AttachButton } from './attach-button';
import { AttachmentStrip } from './attachment-strip';
import { useChat } from './chat-context';
import { ContextMeter } from './context-meter';
import { DELIVERIES, deliveryOf } from './delivery';
import { historyKey, historyPlace } from './input-history';
import { nextMode } from './modes';
import { ModelPicker } from './model-picker';
import { modelPickerStore } from './model-picker-store';
import { SendButton } from './send-button';
import { useHistoryStatus } from './use-chat-status';
import { Suggestions } from './suggestions';
import { pastedFiles } from './use-attachments';
import { useComposer, type Composer as ComposerState } from './use-composer';
import type { KnownModels } from '../../lib/use-models';
import { useSight } from './use-sight';
import { useSuggestions, type SuggestionState } from './use-suggestions';

/** A second Escape within this stops the turn. */
const ESCAPE_TWICE_MS = 1500;

export interface ComposerProps {
  sessionId: string | null;
  running: boolean;
  known: KnownModels;
  /** `provider/model` that answered last; null when nothing did. */
  used: string | null;
}

/** The message box with what belongs to it: suggestions, mode, model, context, Stop and Send. */
export function Composer({ sessionId, running, known, used }: ComposerProps) {
  const composer = useComposer(sessionId, running);
  const suggestions = useSuggestions(composer.text, composer.caret, running);
  const escape = useEscapeTwice(running, composer.stop);
  const usual = useSetting('chat.requestQueuing.defaultAction');
  useHistoryStatus(historyPlace(composer.history));
  const listId = useId();
  const { attachments } = composer;
  const sees = useSight(sessionId, composer.model ?? known.defaultModel, attachments.list.length > 0);
  const showing = suggestions.items.length > 0;
  const choose = (index?: number): void => choosing(composer, suggestions, index);
  return (
    <div className="ch-composer-frame">
      <SendFailure composer={composer} />
      {showing && (
        <Suggestions
          id={listId}
          label={suggestions.label}
          items={suggestions.items}
          at={suggestions.at}
          onPick={choose}
        />
      )}
      <div className="ch-composer">
        <AttachmentStrip
          attachments={attachments}
          sees={sees}
          onRemoved={() => composer.box.current?.focus()}
        />
        <textarea
          ref={composer.box}
          className="ch-input"
          rows={1}
          aria-label="Message"
          aria-controls={showing ? listId : undefined}
          aria-activedescendant={showing ? `${listId}-${suggestions.at}` : undefined}
          placeholder={running ? DELIVERIES[usual].placeholder : 'Ask for a change, or a question'}
          value={composer.text}
          onChange={(event) => composer.setText(event.target.value, event.target.selectionStart)}
          onSelect={(event) => composer.setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => onKey(event, composer, suggestions, escape.press)}
          onPaste={(event) => {
            const files = pastedFiles(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            attachments.add(files);
          }}
        />
        <ComposerFoot
          composer={composer}
          sessionId={sessionId}
          running={running}
          known={known}
          used={used}
          hint={escape.armed ? 'Esc again stops' : null}
        />
      </div>
    </div>
  );
}

function choosing(composer: ComposerState, suggestions: SuggestionState, index?: number): void {
  const choice = suggestions.choose(index);
  if (!choice) return;
  if (choice.command === undefined) composer.setText(choice.text, choice.caret);
  else composer.runCommand(choice.command);
  composer.box.current?.focus();
}

/** While an input method composes, its keys are its own; 229 is what some browsers send for them. */
const isComposing = (event: KeyboardEvent): boolean =>
  event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;

function onKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  composer: ComposerState,
  suggestions: SuggestionState,
  pressEscape: () => void,
): void {
  if (isComposing(event)) return;
  const done =
    suggestionKey(event, composer, suggestions) ||
    escapeKey(event, composer, pressEscape) ||
    sendKey(event, composer) ||
    walkKey(event, composer);
  if (done) event.preventDefault();
}

function suggestionKey(event: KeyboardEvent, composer: ComposerState, suggestions: SuggestionState): boolean {
  if (suggestions.items.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    suggestions.move(event.key === 'ArrowDown' ? 1 : -1);
    return true;
  }
  if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
    choosing(composer, suggestions);
    return true;
  }
  if (event.key !== 'Escape') return false;
  event.stopPropagation();
  suggestions.dismiss();
  return true;
}

function escapeKey(event: KeyboardEvent, composer: ComposerState, pressEscape: () => void): boolean {
  if (event.key !== 'Escape') return false;
  event.stopPropagation();
  if (!composer.leave()) pressEscape();
  return true;
}

function sendKey(event: KeyboardEvent, composer: ComposerState): boolean {
  if (event.key === 'Tab' && event.shiftKey) {
    composer.setMode(nextMode(composer.mode));
    return true;
  }
  const how = deliveryOf(event);
  if (how === null) return false;
  composer.send(how === 'default' ? undefined : how);
  return true;
}

function walkKey(event: KeyboardEvent<HTMLTextAreaElement>, composer: ComposerState): boolean {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const place = { text: value, start: selectionStart, end: selectionEnd };
  const way = historyKey(event.key, place, composer.history.at !== null);
  if (way === 'older') return composer.older();
  return way === 'newer' ? composer.newer() : false;
}

function useEscapeTwice(running: boolean, stop: () => void): { armed: boolean; press: () => void } {
  const [armed, setArmed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = (): void => {
    clearTimeout(timer.current);
    if (!running) return;
    if (armed) stop();
    setArmed(!armed);
    timer.current = setTimeout(() => setArmed(false), ESCAPE_TWICE_MS);
  };
  return { armed: armed && running, press };
}

function SendFailure({ composer }: { composer: ComposerState }) {
  const { onOpenProviderSetup } = useChat();
  const { failure } = composer;
  if (!failure) return null;
  const settings = failure.code === 'no_model' || failure.code.startsWith('provider_');
  return (
    <ErrorBox
      title="The message was not sent. It is still in the box."
      error={fromErrorShape(failure)}
      actions={
        <>
          {settings && <Button onClick={() => modelPickerStore.set({ open: true })}>Choose model</Button>}
          {settings && <Button onClick={onOpenProviderSetup}>Open settings</Button>}
          <Button variant="quiet" onClick={composer.dismissFailure}>
            Dismiss
          </Button>
        </>
      }
    />
  );
}

interface FootProps extends ComposerProps {
  composer: ComposerState;
  hint: string | null;
}

function ComposerFoot({ composer, sessionId, running, known, used, hint }: FootProps) {
  const { attachments } = composer;
  const empty = composer.text.trim() === '' && attachments.list.length === 0;
  const addMention = (): void => {
    const gap = composer.text === '' || /\s$/.test(composer.text) ? '' : ' ';
    composer.setText(`${composer.text}${gap}@`);
    composer.box.current?.focus();
  };
  return (
    <div className="ch-composer-foot">
      <IconButton icon="mention" label="Add a file" onClick={addMention} />
      <AttachButton
        onPick={(files) => {
          attachments.add(files);
          composer.box.current?.focus();
        }}
      />
      <AgentPicker
        mode={composer.mode}
        agent={composer.agent}
        onPickMode={composer.setMode}
        onPickAgent={composer.setAgent}
      />
      <ModelPicker model={composer.model} used={used} known={known} onPick={composer.setModel} />
      <span className="ch-composer-hint ui-clip" role="status">
        {hint}
      </span>
      {sessionId !== null && <ContextMeter />}
      {running && (
        <IconButton
          className="ch-stop"
          icon="primitive-square"
          label="Stop"
          keyHint={keyLabel('Ctrl+.')}
          onClick={composer.stop}
        />
      )}
      <SendButton running={running} disabled={empty || composer.sending} onSend={composer.send} />
    </div>
  );
}
