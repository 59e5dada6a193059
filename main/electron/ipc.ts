import { randomUUID } from 'node:crypto';
import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron';
import { z } from 'zod';
import type { CallContext } from '../../shared/contract/define';
import { IPC } from '../../shared/contract/names';
import { AppError, type Envelope } from '../../shared/error';
import type { Router } from '../rpc/router';
import { createSubscriptions, type SubscriptionFrame, type Subscriptions } from '../rpc/subscriptions';
import { APP_ORIGIN, isAppPage } from './app-page';
import type { Schema } from '../../shared/schema';

/** Requests of one window at a time; a page has a handful. */
const MAX_REQUESTS = 256;

const PageId = z.string().min(1).max(64);
const Id = z.int().min(1);
const Channel = z.string().min(1).max(100);
const InvokeArgs = z.tuple([PageId, Channel, z.unknown()]);
const SubscribeArgs = z.tuple([PageId, Id, Channel, z.unknown()]);
const AcknowledgeArgs = z.tuple([PageId, Id, z.int().min(1)]);
const UnsubscribeArgs = z.tuple([PageId, Id]);

export interface IpcOptions {
  router: Router;
  /** Told of messages that came from elsewhere than our page, or that no page of ours would send. */
  onRefused: (channel: string, reason: string) => void;
}

export interface IpcHost {
  /** Lets the page of these contents talk to the core until they are gone. */
  attach(contents: WebContents): void;
}

/** One document: a reload makes a new one in the same contents. */
interface Page {
  id: string;
  context: CallContext;
  subscriptions: Subscriptions;
  requests: number;
  close(): void;
}

type SomeEvent = Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

const refused = (message: string): Envelope => ({
  ok: false,
  error: new AppError('unauthorized', message, { hint: 'Reload the window.' }).toShape(),
});

const TOO_MANY: Envelope = {
  ok: false,
  error: new AppError('busy', 'Too many requests at a time from one window.', {
    hint: 'Reload the window.',
  }).toShape(),
};

/** Why a message is not from our page in its own window, or null when it is (sec-H06). */
function whyForeign({ sender, senderFrame }: SomeEvent): string | null {
  if (senderFrame === null) return 'its frame is gone';
  try {
    const isTop =
      senderFrame.parent === null && senderFrame.frameTreeNodeId === sender.mainFrame.frameTreeNodeId;
    if (!isTop) return 'it comes from a frame in the page';
    if (senderFrame.origin !== APP_ORIGIN) return `its origin is ${senderFrame.origin}`;
    return isAppPage(senderFrame.url) ? null : 'its page is not ours';
  } catch {
    // Electron throws when it is asked about a frame that went away meanwhile.
    return 'its frame is gone';
  }
}

/** The only place that listens to renderers: every message is checked for its sender and its shape, then routed. */
export function serveIpc(options: IpcOptions): IpcHost {
  const windows = new Map<WebContents, Page | null>();

  const close = (contents: WebContents): void => {
    windows.get(contents)?.close();
    if (windows.has(contents)) windows.set(contents, null);
  };
  /**
   * The document that speaks. A new one closes the one before: its first message is the only sign of a reload that can't
   * come too early or too late for its own subscriptions.
   */
  const pageOf = (contents: WebContents, id: string): Page => {
    const known = windows.get(contents);
    if (known?.id === id) return known;
    close(contents);
    const page = openPage(contents, id, options.router);
    windows.set(contents, page);
    return page;
  };
  const accept = <T>(channel: string, event: SomeEvent, schema: Schema<T>, args: unknown[]): T | null => {
    const reason = windows.has(event.sender) ? whyForeign(event) : 'its window is not ours';
    const parsed = reason === null ? z.safeParse(schema, args) : null;
    if (parsed?.success) return parsed.data;
    options.onRefused(channel, reason ?? 'its arguments are malformed');
    return null;
  };

  ipcMain.handle(IPC.invoke, (event, ...args: unknown[]) => {
    const request = accept(IPC.invoke, event, InvokeArgs, args);
    if (!request) return refused('The request was refused: it did not come from the app’s own page.');
    const [id, channel, input] = request;
    return dispatch(pageOf(event.sender, id), options.router, channel, input);
  });
  ipcMain.on(IPC.subscribe, (event, ...args: unknown[]) => {
    const message = accept(IPC.subscribe, event, SubscribeArgs, args);
    if (message) pageOf(event.sender, message[0]).subscriptions.open(message[1], message[2], message[3]);
  });
  ipcMain.on(IPC.acknowledge, (event, ...args: unknown[]) => {
    const message = accept(IPC.acknowledge, event, AcknowledgeArgs, args);
    if (message) pageOf(event.sender, message[0]).subscriptions.acknowledge(message[1], message[2]);
  });
  ipcMain.on(IPC.unsubscribe, (event, ...args: unknown[]) => {
    const message = accept(IPC.unsubscribe, event, UnsubscribeArgs, args);
    if (message) pageOf(event.sender, message[0]).subscriptions.close(message[1]);
  });

  return {
    attach: (contents) => {
      windows.set(contents, null);
      contents.on('render-process-gone', () => close(contents));
      contents.once('destroyed', () => {
        close(contents);
        windows.delete(contents);
      });
    },
  };
}

async function dispatch(page: Page, router: Router, channel: string, input: unknown): Promise<Envelope> {
  if (page.requests >= MAX_REQUESTS) return TOO_MANY;
  page.requests += 1;
  const envelope = await router.dispatch(channel, input, page.context);
  page.requests -= 1;
  return envelope;
}

function openPage(contents: WebContents, id: string, router: Router): Page {
  const gone = new AbortController();
  const context = { clientId: randomUUID(), signal: gone.signal };
  const subscriptions = createSubscriptions({
    router,
    clientId: context.clientId,
    deliver: (frame) => {
      if (!gone.signal.aborted && !contents.isDestroyed())
        contents.send(IPC.message, id, frame.id, bridgeFrame(frame));
    },
  });
  const close = (): void => {
    gone.abort();
    subscriptions.closeAll();
  };
  return { id, context, subscriptions, requests: 0, close };
}

const bridgeFrame = (frame: SubscriptionFrame): object =>
  frame.kind === 'message'
    ? { kind: 'message', payload: frame.payload }
    : { kind: 'end', ...(frame.error ? { error: frame.error } : {}) };
