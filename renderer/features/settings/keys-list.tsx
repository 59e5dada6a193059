import { useState } from 'react';
import { currentKeyPlatform, keyParts } from '../../lib/keys';
import { Field } from '../../ui/field';

export interface Shortcut {
  id: string;
  title: string;
  /** As `parseChord` reads them. */
  keys: readonly string[];
}

/** Shortcuts that the panes have of their own; the window's commands come in by props. */
const PANE_SHORTCUTS: readonly Shortcut[] = [
  { id: 'chat.send', title: 'Chat: Send the message', keys: ['Enter'] },
  { id: 'chat.break', title: 'Chat: New line', keys: ['Shift+Enter'] },
  { id: 'chat.stop', title: 'Chat: Stop the running turn', keys: ['Mod+.'] },
  { id: 'approvals.review', title: 'Approvals: Review pending', keys: ['Mod+Shift+A'] },
  { id: 'chat.history', title: 'Chat: Earlier message', keys: ['ArrowUp'] },
  { id: 'sessions.rename', title: 'Sessions: Rename', keys: ['F2'] },
  { id: 'sessions.delete', title: 'Sessions: Delete', keys: ['Delete'] },
];

export function KeysList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  const [query, setQuery] = useState('');
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const platform = currentKeyPlatform();
  const text = (shortcut: Shortcut): string =>
    [shortcut.title, ...shortcut.keys.map((keys) => keyParts(keys, platform).join('+'))]
      .join(' ')
      .toLowerCase();
  const shown = [...shortcuts, ...PANE_SHORTCUTS].filter((shortcut) =>
    words.every((word) => text(shortcut).includes(word)),
  );
  return (
    <div className="keys">
      <Field
        label="Search shortcuts"
        hideLabel
        icon="search"
        placeholder="Search"
        value={query}
        onChange={setQuery}
      />
      <table className="grants">
        <thead>
          <tr>
            <th scope="col">Command</th>
            <th scope="col">Keys</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((shortcut) => (
            <tr key={shortcut.id}>
              <td>{shortcut.title}</td>
              <td>
                {shortcut.keys.map((keys, index) => (
                  <span key={keys} className="keys-chord">
                    {index > 0 && <span className="ui-muted"> or </span>}
                    {keyParts(keys, platform).map((part) => (
                      <kbd key={part} className="ui-key-box">
                        {part}
                      </kbd>
                    ))}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="ui-soft">No shortcut matches.</p>}
    </div>
  );
}
