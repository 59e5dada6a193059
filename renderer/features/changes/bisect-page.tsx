import { useState } from 'react';
import { useClient } from '../../lib/client-context';
import { terminalText } from '../../lib/text/terminal-text';
import { VisibleText } from '../../lib/text/visible-text';
import { useStore } from '../../lib/store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Segmented } from '../../ui/segmented';
import { Spinner } from '../../ui/spinner';
import { bisectRequest, bisectStore, startBisect, stopBisect, type BisectRequest } from './bisect-run';
import { bisectWords, type BisectPoint } from './bisect-state';
import { BisectResult } from './bisect-result';
import type { ChangesHost } from './changes-host';
import './changes-page.css';

/** Finds the change that made a test command fail, by running it at points of the change log in a copy of the project. */
export function BisectPage(host: ChangesHost) {
  const state = useStore(bisectStore);
  const words = bisectWords(state);
  return (
    <section className="bs" aria-label="Find the change that broke a test">
      <Request running={state.phase === 'running'} />
      <div className="bs-state" role="status">
        {state.phase === 'running' && <Spinner />}
        <span>{words}</span>
      </div>
      {state.result && <BisectResult result={state.result} host={host} />}
      {state.points.length > 0 && (
        <ol className="bs-points" aria-label="Runs">
          {state.points.map((point) => (
            <Point key={point.run} point={point} stopped={state.phase !== 'running'} />
          ))}
        </ol>
      )}
      {state.output !== '' && (
        <pre className="bs-output" tabIndex={0} aria-label="Output of the newest run">
          <VisibleText text={terminalText(state.output).trimEnd()} />
        </pre>
      )}
    </section>
  );
}

function Request({ running }: { running: boolean }) {
  const client = useClient();
  const active = useStore(windowStore.activeSession);
  const last = useStore(bisectRequest);
  const [command, setCommand] = useState(last.command);
  const [seconds, setSeconds] = useState(String(last.timeoutSeconds));
  const [scope, setScope] = useState<'session' | 'all'>(active === null ? 'all' : 'session');
  const timeoutSeconds = Number(seconds);
  const badTime = !Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 3600;
  const usable = command.trim() !== '' && !badTime;
  const start = (): void => {
    const sessionId = scope === 'session' ? active : null;
    const request: BisectRequest = { command: command.trim(), sessionId, timeoutSeconds };
    startBisect(client, request);
  };
  return (
    <form
      className="bs-request"
      onSubmit={(event) => {
        event.preventDefault();
        if (usable && !running) start();
      }}
    >
      <p className="ui-soft">
        The command runs in a copy of the project, at points of the change log, until the change that made it
        fail is found. Your files are not touched.
      </p>
      <Field
        label="Test command"
        placeholder="npm test"
        className="bs-command"
        // Whoever opens this page is about to type here, however long it took to load.
        autoFocus
        value={command}
        onChange={setCommand}
        disabled={running}
      />
      <div className="bs-row">
        <Segmented
          label="Changes of"
          value={scope}
          choices={[
            ...(active === null ? [] : [{ value: 'session' as const, label: 'This session' }]),
            { value: 'all' as const, label: 'All sessions' },
          ]}
          onChange={setScope}
        />
        <Field
          label="Seconds a run may take"
          className="bs-seconds"
          inputMode="numeric"
          value={seconds}
          onChange={setSeconds}
          disabled={running}
          error={badTime ? 'A whole number from 1 to 3,600' : null}
        />
        <span className="ui-grow" />
        {/* Two elements: one that became a submit button under the press would start anew. */}
        {running ? (
          <Button key="stop" icon="debug-stop" onClick={stopBisect}>
            Stop
          </Button>
        ) : (
          <Button key="start" type="submit" variant="primary" icon="play" disabled={!usable}>
            Start
          </Button>
        )}
      </div>
    </form>
  );
}

function Point({ point: { label, passed, run }, stopped }: { point: BisectPoint; stopped: boolean }) {
  return (
    <li>
      <PointSign passed={passed} stopped={stopped} />
      <span className="ui-muted">{run}</span>
      <span className="ui-grow ui-clip">
        <VisibleText text={label.replaceAll('`', '')} />
      </span>
      <span className={pointTone(passed)}>{pointWords(passed, stopped)}</span>
    </li>
  );
}

function PointSign({ passed, stopped }: { passed: boolean | null; stopped: boolean }) {
  if (passed === null && !stopped) return <Spinner />;
  const icon = passed === null ? 'circle-slash' : passed ? 'check' : 'error';
  return <Icon name={icon} size={14} className={pointTone(passed)} />;
}

const pointTone = (passed: boolean | null): string =>
  passed === null ? 'ui-muted' : passed ? 'ui-ok' : 'ui-err';

const pointWords = (passed: boolean | null, stopped: boolean): string => {
  if (passed === null) return stopped ? 'stopped' : 'running';
  return passed ? 'passes' : 'fails';
};
