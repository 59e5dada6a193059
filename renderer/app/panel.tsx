import { panelSlot } from '../lib/dock-slot';
import { IconButton } from '../ui/icon-button';
import { Tabs } from '../ui/tabs';
import { showPane } from './layout-store';
import { ProjectPane } from './pane';
import { TerminalPane } from './panes';
import { shortcutHint } from './shortcut-hint';

const TABS = [{ id: 'terminal', label: 'Terminal' }];

export function Panel() {
  return (
    <section id="panel" className="panel" aria-label="Terminal" data-region="terminal">
      <div className="panel-head">
        <Tabs label="Panel views" tabs={TABS} active="terminal" onSelect={() => undefined} />
        <span className="ui-grow" />
        <span ref={panelSlot.set} className="panel-actions" />
        <IconButton
          icon="close"
          label="Hide panel"
          keyHint={shortcutHint('view.togglePanel')}
          onClick={() => showPane('panel', false)}
        />
      </div>
      <div className="panel-body">
        <ProjectPane name="Terminal">
          <TerminalPane />
        </ProjectPane>
      </div>
    </section>
  );
}
