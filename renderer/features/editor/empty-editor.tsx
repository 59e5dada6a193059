import { keyLabel } from '../../lib/keys';
import { Icon } from '../../ui/icon';

const HINTS: readonly (readonly [string, string])[] = [
  ['Go to file', 'Mod+P'],
  ['Show all commands', 'Mod+Shift+P'],
  ['Ask the agent', 'Mod+L'],
  ['Open a terminal', 'Ctrl+`'],
];

/** What to do when no file is open. */
export function EmptyEditor() {
  return (
    <div className="editor-empty">
      <Icon name="lathe" size={32} />
      <h2 className="editor-empty-title">No file open</h2>
      <dl className="editor-empty-keys">
        {HINTS.map(([label, keys]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <kbd className="ui-key-box">{keyLabel(keys)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
