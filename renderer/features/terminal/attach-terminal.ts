import type { Client } from '../../../shared/contract/contract';
import type { TerminalId } from '../../../shared/model/ids';
import { cleanPaste, needsConfirmation } from './paste-text';
import { RESET_MODES, type XtermParts } from './create-terminal';

/** Drawn characters are reported in lots: a message per chunk would cost more than the drawing. */
const ACKNOWLEDGE_CHARS = 4_000;
/** Several size changes in a row (a dragged sash) become one. */
const RESIZE_AFTER_MS = 60;

export interface AttachOptions {
  client: Client;
  id: TerminalId;
  parts: XtermParts;
  host: HTMLElement;
  /** Asks before several lines are run at once; resolves to true to paste. */
  confirmPaste: (text: string) => Promise<boolean>;
  onError: (error: unknown) => void;
}

function attachOutput({ client, id, parts: { terminal } }: AttachOptions): () => void {
  let undrawn = 0;
  const write = (data: string): void => {
    terminal.write(data, () => {
      undrawn += data.length;
      if (undrawn < ACKNOWLEDGE_CHARS) return;
      const chars = undrawn;
      undrawn = 0;
      client.terminal.acknowledge({ id, chars }).catch(() => undefined);
    });
  };
  return client.terminal.output.subscribe({ id }, (message) => {
    switch (message.kind) {
      case 'replay':
        terminal.reset();
        terminal.write(message.data);
        break;
      case 'data':
        write(message.data);
        break;
      case 'exit':
        terminal.write(`${RESET_MODES}\r\n\u001b[2m${message.message}\u001b[0m\r\n`);
        break;
    }
  });
}

function attachSize({ client, id, parts, host, onError }: AttachOptions): () => void {
  const { terminal, fit } = parts;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const apply = (): void => {
    timer = undefined;
    if (host.clientWidth === 0 || host.clientHeight === 0) return;
    fit.fit();
  };
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(apply, RESIZE_AFTER_MS);
  });
  observer.observe(host);
  const resized = terminal.onResize(({ cols, rows }) => {
    client.terminal.resize({ id, cols, rows }).catch(onError);
  });
  apply();
  client.terminal.resize({ id, cols: terminal.cols, rows: terminal.rows }).catch(onError);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    resized.dispose();
  };
}

function attachPaste({ parts: { terminal }, host, confirmPaste }: AttachOptions): () => void {
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const text = cleanPaste(event.clipboardData?.getData('text/plain') ?? '');
    if (text === '') return;
    if (!needsConfirmation(text, terminal.modes.bracketedPasteMode)) {
      terminal.paste(text);
      return;
    }
    void confirmPaste(text).then((yes) => {
      if (yes) terminal.paste(text);
      terminal.focus();
    });
  };
  host.addEventListener('paste', onPaste, true);
  return () => host.removeEventListener('paste', onPaste, true);
}

/** Ctrl+C copies only while something is selected; else it belongs to the program (case-X09). */
function attachKeys({ parts: { terminal } }: AttachOptions): void {
  terminal.attachCustomKeyEventHandler((event) => {
    const copies = event.ctrlKey && !event.altKey && event.key.toLowerCase() === 'c';
    if (event.type !== 'keydown' || !copies || !terminal.hasSelection()) return true;
    void navigator.clipboard.writeText(terminal.getSelection());
    terminal.clearSelection();
    return false;
  });
}

/** Connects an xterm with one terminal of the host; the returned function lets go of both. */
export function attachTerminal(options: AttachOptions): () => void {
  const { client, id, parts, host, onError } = options;
  const { terminal } = parts;
  terminal.open(host);
  attachKeys(options);
  const typed = terminal.onData((data) => {
    client.terminal.write({ id, data }).catch(onError);
  });
  const ends = [attachOutput(options), attachSize(options), attachPaste(options)];
  return () => {
    typed.dispose();
    for (const end of ends) end();
    terminal.dispose();
  };
}
