import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { roveFocus } from './rove';

export interface TabItem {
  id: string;
  label: string;
  /** After the label, for example a count. */
  extra?: ReactNode;
}

export interface TabsProps {
  label: string;
  tabs: readonly TabItem[];
  active: string;
  onSelect: (id: string) => void;
  className?: string;
}

/** A row of views: Tab reaches the active one, arrows go on from there. */
export function Tabs({ label, tabs, active, onSelect, className }: TabsProps) {
  const pick = (index: number): void => {
    const tab = tabs[index];
    if (tab) onSelect(tab.id);
  };
  return (
    <div
      className={classNames('ui-tabs', className)}
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => roveFocus(event, pick)}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className="ui-tab"
          aria-selected={tab.id === active}
          tabIndex={tab.id === active ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
          {tab.extra}
        </button>
      ))}
    </div>
  );
}
