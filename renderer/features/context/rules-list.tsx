import type { RuleInfo } from '../../../shared/contract/context';
import { formatTokens } from '../../lib/format';
import { EmptyState } from '../../ui/empty-state';
import { Icon } from '../../ui/icon';

interface RulesListProps {
  rules: readonly RuleInfo[];
  onOpenFile(path: string): void;
}

const ORIGINS: Readonly<Record<RuleInfo['origin'], string>> = {
  project: 'Project',
  user: 'Yours',
  machine: 'This machine',
};

/** Rules files that are known here: which are in the prompt, why, and what each costs. */
export function RulesList({ rules, onOpenFile }: RulesListProps) {
  if (rules.length === 0)
    return (
      <EmptyState icon="book" title="No rules here">
        Write what the agent should know of this project into a file AGENTS.md.
      </EmptyState>
    );
  return (
    <div className="cx-scroll">
      <table className="cx-table">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">From</th>
            <th scope="col">In the prompt</th>
            <th scope="col" className="cx-number">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleRow key={`${rule.origin} ${rule.path}`} rule={rule} onOpenFile={onOpenFile} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RuleRow({ rule, onOpenFile }: { rule: RuleInfo; onOpenFile(path: string): void }) {
  const canOpen = rule.origin === 'project' && !rule.path.startsWith('../');
  return (
    <tr data-active={rule.active}>
      <td>
        {canOpen ? (
          <button type="button" className="cx-link ui-mono" onClick={() => onOpenFile(rule.path)}>
            {rule.path}
          </button>
        ) : (
          <span className="ui-mono">{rule.path}</span>
        )}
        {notes(rule).map((note) => (
          <span key={note} className="cx-rule-note">
            <Icon name="warning" size={14} className="ui-warn" />
            {note}
          </span>
        ))}
      </td>
      <td>{ORIGINS[rule.origin]}</td>
      <td>
        <span className="cx-why">
          <Icon
            name={rule.active ? 'check' : 'circle-outline'}
            size={14}
            className={rule.active ? 'ui-ok' : 'ui-muted'}
            label={rule.active ? 'yes' : 'no'}
          />
          <span className={rule.active ? '' : 'ui-muted'}>{rule.why}</span>
        </span>
      </td>
      <td className="cx-number">{rule.active ? formatTokens(rule.tokens) : '–'}</td>
    </tr>
  );
}

function notes({ cut, chars, hiddenCharacters, imports, problems }: RuleInfo): string[] {
  return [
    ...(cut ? [`Only the first part of ${chars.toLocaleString('en')} characters is used`] : []),
    ...(hiddenCharacters > 0 ? [`${hiddenCharacters} hidden characters were taken out`] : []),
    ...(imports.length > 0 ? [`Imports ${imports.join(', ')}`] : []),
    ...problems,
  ];
}
