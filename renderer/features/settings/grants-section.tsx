import { useCallback, useEffect, useState } from 'react';
import type { Grant } from '../../../shared/model/approval';
import { useClient } from '../../lib/client-context';
import { formatAgo } from '../../lib/format';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Icon } from '../../ui/icon';
import { canRevoke, effectWords, grantGroups, REACH, scopeWords, type GrantGroup } from './grant-words';

const SIGNS: Record<Grant['rule']['effect'], { icon: string; className: string }> = {
  allow: { icon: 'check', className: 'ui-ok' },
  ask: { icon: 'shield', className: 'ui-agent' },
  deny: { icon: 'circle-slash', className: 'ui-err' },
};

/** Rules and grants that decide about approvals: what, how far, last used, revoke. */
export function GrantsSection() {
  const client = useClient();
  const [grants, setGrants] = useState<readonly Grant[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [now] = useState(() => Date.now());
  const load = useCallback(async (): Promise<void> => {
    try {
      setGrants(await client.settings.grants(null));
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  }, [client]);
  useEffect(() => {
    void load();
    return client.turn.approvalsChanged.subscribe(null, () => void load());
  }, [client, load]);
  const revoke = async (grant: Grant): Promise<void> => {
    await client.settings.revokeGrant({ id: grant.id });
    await load();
  };
  if (error !== null) return <ErrorBox title="Rules could not be read" error={error} />;
  if (grants?.length === 0) {
    return (
      <EmptyState icon="shield" title="No rules and no grants">
        Every edit and command asks. “Always allow” in an approval adds a grant that shows here.
      </EmptyState>
    );
  }
  return (
    <>
      <p className="grants-reach">{REACH}</p>
      {grantGroups(grants ?? []).map((group) => (
        <GrantTable
          key={group.title}
          group={group}
          now={now}
          onRevoke={(grant) => void revoke(grant).catch(toastError)}
        />
      ))}
    </>
  );
}

interface GrantTableProps {
  group: GrantGroup;
  now: number;
  onRevoke: (grant: Grant) => void;
}

function GrantTable({ group, now, onRevoke }: GrantTableProps) {
  const revocable = group.grants.some(canRevoke);
  return (
    <table className="grants">
      <caption>{group.title}</caption>
      <thead>
        <tr>
          <th scope="col">Effect</th>
          <th scope="col">Action</th>
          <th scope="col">On</th>
          <th scope="col">Scope</th>
          <th scope="col">Last used</th>
          {revocable && (
            <th scope="col">
              <span className="ui-sr">Revoke</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {group.grants.map((grant) => (
          <GrantRow
            key={grant.id}
            grant={grant}
            now={now}
            revocable={revocable}
            onRevoke={() => onRevoke(grant)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface GrantRowProps {
  grant: Grant;
  now: number;
  revocable: boolean;
  onRevoke: () => void;
}

function GrantRow({ grant, now, revocable, onRevoke }: GrantRowProps) {
  const sign = SIGNS[grant.rule.effect];
  const used = grant.lastUsedAt === null ? 'never' : formatAgo(grant.lastUsedAt, now);
  return (
    <tr>
      <td>
        <span className="grant-effect">
          <Icon name={sign.icon} size={14} className={sign.className} />
          {effectWords(grant)}
        </span>
      </td>
      <td className="ui-mono">{grant.rule.action}</td>
      <td className="ui-mono grant-resource">{grant.rule.resource}</td>
      <td>{scopeWords(grant)}</td>
      <td>{used}</td>
      {revocable && (
        <td>
          {canRevoke(grant) && (
            <Button
              size="small"
              aria-label={`Revoke ${grant.rule.action} ${grant.rule.resource}`}
              onClick={onRevoke}
            >
              Revoke
            </Button>
          )}
        </td>
      )}
    </tr>
  );
}
