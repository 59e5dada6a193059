import { useEffect, useState } from 'react';
import type { FoundTool } from '../../../shared/contract/session';
import { useClient } from '../../lib/client-context';
import { formatPath } from '../../lib/format';
import { appInfoStore, projectStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { Dialog } from '../../ui/dialog';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Spinner } from '../../ui/spinner';
import { foreignWords, foundWords } from './foreign-words';
import './sessions.css';

/** What other tools left on this machine, to be brought in tool by tool. */
export function ImportForeign({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const project = useStore(projectStore);
  const [tools, setTools] = useState<readonly FoundTool[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [onlyHere, setOnlyHere] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    client.session.foreign(null).then(
      (found) => {
        if (current) setTools(found);
      },
      (reason: unknown) => {
        if (current) setError(reason);
      },
    );
    return () => {
      current = false;
    };
  }, [client, round]);
  const onlyFolder = onlyHere && project ? project.path : null;
  return (
    <Dialog
      title="Import from other tools"
      subtitle="Their files are only read. Each session goes to the project of its folder."
      icon="cloud-download"
      width={560}
      onClose={onClose}
      footer={
        <>
          <span className="ui-grow" />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {error !== null && <ErrorBox error={error} />}
      {tools === null && error === null && <Spinner label="Looking for sessions" />}
      {tools?.length === 0 && (
        <EmptyState icon="inbox" title="Nothing found">
          Claude Code, Codex, opencode and pi left no sessions in their usual places.
        </EmptyState>
      )}
      {tools !== null && tools.length > 0 && (
        <>
          {project && (
            <Checkbox checked={onlyHere} onChange={setOnlyHere}>
              Only sessions of {project.name}
            </Checkbox>
          )}
          <ul className="session-tools" aria-label="Tools">
            {tools.map((tool) => (
              <ToolRow
                key={tool.tool}
                tool={tool}
                onlyFolder={onlyFolder}
                onDone={() => setRound((count) => count + 1)}
              />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

interface ToolRowProps {
  tool: FoundTool;
  onlyFolder: string | null;
  onDone: () => void;
}

function ToolRow({ tool, onlyFolder, onDone }: ToolRowProps) {
  const client = useClient();
  const homeDir = useStore(appInfoStore, (info) => info?.homeDir ?? '');
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const report = await client.session.importForeign({ tool: tool.tool, onlyFolder });
      setDone(foreignWords(report));
      setProblems(report.problems);
      onDone();
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <li className="session-tool">
      <div className="ui-grow">
        <div className="ui-strong">{tool.name}</div>
        <div className="session-fact" role="status">
          {done ?? `${foundWords(tool)} in ${formatPath(tool.path, homeDir)}`}
        </div>
        {problems.length > 0 && (
          <details>
            <summary>What could not be read</summary>
            <ul className="session-problems">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </details>
        )}
        {error !== null && <ErrorBox error={error} />}
      </div>
      <Button
        aria-label={`Import from ${tool.name}`}
        busy={busy}
        disabled={tool.known >= tool.sessions}
        onClick={() => void run()}
      >
        Import
      </Button>
    </li>
  );
}
