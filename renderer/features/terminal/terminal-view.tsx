import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef, useState } from 'react';
import type { TerminalInfo } from '../../../shared/contract/terminal';
import { toErrorShape } from '../../../shared/error';
import { useClient } from '../../lib/client-context';
import { useSetting } from '../../lib/settings-store';
import { onThemeChange } from '../../lib/theme';
import { pushToast } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { attachTerminal } from './attach-terminal';
import { createTerminal, type XtermParts } from './create-terminal';
import { PasteDialog } from './paste-dialog';
import { terminalTheme } from './terminal-theme';

interface Paste {
  text: string;
  answer: (yes: boolean) => void;
}

const report = (error: unknown): void => {
  const { message, hint } = toErrorShape(error);
  pushToast({ tone: 'error', title: message, ...(hint === undefined ? {} : { text: hint }) });
};

function useLook(parts: { current: XtermParts | null }, fontSize: number, scrollback: number): void {
  useEffect(() => {
    const current = parts.current;
    if (!current) return;
    current.terminal.options.fontSize = fontSize;
    current.terminal.options.scrollback = scrollback;
    current.fit.fit();
  }, [parts, fontSize, scrollback]);
  useEffect(
    () =>
      onThemeChange(() => {
        if (parts.current) parts.current.terminal.options.theme = terminalTheme();
      }),
    [parts],
  );
}

/** One terminal on screen; the shell lives in the host and goes on when this is taken down. */
export function TerminalView({ info }: { info: TerminalInfo }) {
  const client = useClient();
  const host = useRef<HTMLDivElement>(null);
  const parts = useRef<XtermParts | null>(null);
  const [paste, setPaste] = useState<Paste | null>(null);
  const fontSize = useSetting('terminal.integrated.fontSize');
  const scrollback = useSetting('terminal.integrated.scrollback');
  const reduceMotion = useSetting('workbench.reduceMotion');
  const look = useRef({ fontSize, scrollback, reduceMotion });
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const created = createTerminal(
      look.current,
      (url) => void client.app.openExternal({ url }).catch(report),
    );
    parts.current = created;
    const confirmPaste = (text: string): Promise<boolean> =>
      new Promise((answer) => setPaste({ text, answer }));
    const detach = attachTerminal({
      client,
      id: info.id,
      parts: created,
      host: element,
      confirmPaste,
      onError: report,
    });
    return () => {
      parts.current = null;
      detach();
    };
  }, [client, info.id]);
  useLook(parts, fontSize, scrollback);
  const answer = (yes: boolean): void => {
    paste?.answer(yes);
    setPaste(null);
  };
  return (
    <div className="terminal-view">
      <div ref={host} className="terminal-screen" />
      {!info.running && (
        <div className="terminal-ended">
          <span>
            {info.exitCode === null ? 'The shell ended.' : `The shell ended with exit code ${info.exitCode}.`}
          </span>
          <Button onClick={() => void client.terminal.restart({ id: info.id }).catch(report)}>Restart</Button>
        </div>
      )}
      {paste && <PasteDialog text={paste.text} onAnswer={answer} />}
    </div>
  );
}
