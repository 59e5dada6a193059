import { useState, type ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button';
import { Icon } from '../../ui/icon';
import { roveFocus } from '../../ui/rove';
import { FilesSection } from './files-section';
import { GrantsSection } from './grants-section';
import { KeysList, type Shortcut } from './keys-list';
import { ModelsSection } from './models-section';
import { NotifySetting } from './notify-setting';
import { PricesSection } from './prices-section';
import { SettingControl } from './setting-control';
import {
  APPEARANCE_ROWS,
  APPROVAL_ROWS,
  EDITOR_ROWS,
  GENERAL_ROWS,
  MODEL_ROWS,
  TERMINAL_ROWS,
  type SettingRow,
} from './setting-rows';
import './settings.css';

export interface SettingsPageProps {
  shortcuts: readonly Shortcut[];
  onClose: () => void;
  onProviderSetup: (providerId: string | null) => void;
  onShowLog: () => void;
}

const SECTIONS = [
  { id: 'general', label: 'General', icon: 'settings-gear' },
  { id: 'appearance', label: 'Appearance', icon: 'eye' },
  { id: 'models', label: 'Models', icon: 'plug' },
  { id: 'approvals', label: 'Approvals', icon: 'shield' },
  { id: 'editor', label: 'Editor', icon: 'file-code' },
  { id: 'terminal', label: 'Terminal', icon: 'terminal' },
  { id: 'keys', label: 'Keys', icon: 'key' },
] as const;
type SectionId = (typeof SECTIONS)[number]['id'];

/** Everything that can be set; each change holds at once and is written to settings.jsonc. */
export function SettingsPage(props: SettingsPageProps) {
  const [section, setSection] = useState<SectionId>('general');
  return (
    <section className="settings" aria-label="Settings">
      <SectionTabs active={section} onSelect={setSection} />
      <div
        className="settings-body"
        role="tabpanel"
        aria-label={SECTIONS.find((one) => one.id === section)?.label}
      >
        <div className="settings-column">
          <Section id={section} {...props} />
        </div>
      </div>
      <IconButton icon="close" label="Leave settings" className="settings-close" onClick={props.onClose} />
    </section>
  );
}

function SectionTabs({ active, onSelect }: { active: SectionId; onSelect: (id: SectionId) => void }) {
  const pick = (index: number): void => {
    const section = SECTIONS[index];
    if (section) onSelect(section.id);
  };
  return (
    <div
      className="settings-tabs"
      role="tablist"
      aria-label="Settings sections"
      aria-orientation="vertical"
      onKeyDown={(event) => roveFocus(event, pick)}
    >
      {SECTIONS.map((section) => (
        <button
          key={section.id}
          type="button"
          role="tab"
          className="settings-tab"
          aria-selected={section.id === active}
          tabIndex={section.id === active ? 0 : -1}
          onClick={() => onSelect(section.id)}
        >
          <Icon name={section.icon} />
          {section.label}
        </button>
      ))}
    </div>
  );
}

const draw = (rows: readonly SettingRow[]): ReactNode =>
  rows.map((row) => <SettingControl key={row.key} row={row} />);

function Section({ id, shortcuts, onProviderSetup, onShowLog }: SettingsPageProps & { id: SectionId }) {
  switch (id) {
    case 'general':
      return (
        <>
          {draw(GENERAL_ROWS)}
          <NotifySetting />
          <FilesSection onShowLog={onShowLog} />
        </>
      );
    case 'appearance':
      return draw(APPEARANCE_ROWS);
    case 'models':
      return (
        <>
          <ModelsSection onProviderSetup={onProviderSetup} />
          {draw(MODEL_ROWS)}
          <PricesSection />
        </>
      );
    case 'approvals':
      return (
        <>
          {draw(APPROVAL_ROWS)}
          <GrantsSection />
        </>
      );
    case 'editor':
      return draw(EDITOR_ROWS);
    case 'terminal':
      return draw(TERMINAL_ROWS);
    case 'keys':
      return <KeysList shortcuts={shortcuts} />;
  }
}
