import { appInfoStore } from '../../lib/project-store';
import { settingsStore } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { IconButton } from '../../ui/icon-button';

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  pushToast({ tone: 'ok', title: 'Path copied', text });
}

function PathRow({
  title,
  text,
  path,
  onShow,
}: {
  title: string;
  text: string;
  path: string;
  onShow?: () => void;
}) {
  return (
    <div className="setting-row">
      <div className="setting-path">
        <div>{title}</div>
        <div className="setting-text">{text}</div>
        <div className="ui-mono setting-file">{path}</div>
      </div>
      <span className="ui-row">
        {onShow && <Button onClick={onShow}>Show log</Button>}
        <IconButton
          icon="copy"
          label={`Copy the path of ${title}`}
          onClick={() => void copy(path).catch(toastError)}
        />
      </span>
    </div>
  );
}

/** Where settings, data and the log are kept. */
export function FilesSection({ onShowLog }: { onShowLog: () => void }) {
  const settingsPath = useStore(settingsStore, (state) => state.path);
  const problems = useStore(settingsStore, (state) => state.problems);
  const info = useStore(appInfoStore);
  return (
    <>
      <PathRow title="settings.jsonc" text="All of these, and comments of your own" path={settingsPath} />
      {problems.map((problem) => (
        <div key={problem} className="setting-problem">
          {problem}
        </div>
      ))}
      {info && (
        <>
          <PathRow
            title="Log"
            text="What happened, without keys and file contents"
            path={info.logPath}
            onShow={onShowLog}
          />
          <PathRow title="Data" text="Sessions, rules and recordings" path={info.dataDir} />
          <div className="setting-row">
            <div className="setting-text">
              {info.name} {info.version}. Icons: Codicons by Microsoft, CC BY 4.0.
            </div>
          </div>
        </>
      )}
    </>
  );
}
