import { useStore } from '../../lib/store';
import { attach } from './attachment';
import { useChat } from './chat-context';
import { type ChatModel, type ImageBox, NO_IMAGES } from './chat-model';

export interface Attachments extends ImageBox {
  add(files: readonly File[]): void;
  remove(id: string): void;
  dismissProblems(): void;
}

/** Puts files into the box of a session (null: of the one that its first message creates), as far as they are pictures. */
export async function attachFiles(
  chat: ChatModel,
  sessionId: string | null,
  files: readonly File[],
): Promise<void> {
  if (files.length === 0) return;
  const { attachments, problems } = await attach(chat.imagesOf(sessionId).list, files);
  // Others may have come in while these were read.
  chat.setImages(sessionId, { list: [...chat.imagesOf(sessionId).list, ...attachments], problems });
}

/** The pictures in the message box of a session (null: of the session that its first message creates). */
export function useAttachments(sessionId: string | null): Attachments {
  const { model: chat } = useChat();
  const box = useStore(chat.images, (all) => all[sessionId ?? 'new'] ?? NO_IMAGES);
  return {
    ...box,
    add: (files) => void attachFiles(chat, sessionId, files),
    remove: (id) =>
      chat.setImages(sessionId, { list: box.list.filter((each) => each.id !== id), problems: [] }),
    dismissProblems: () => chat.setImages(sessionId, { ...box, problems: [] }),
  };
}

/** Files of a paste that are to be attached. Text goes before a picture of itself, as office programs give both. */
export function pastedFiles(data: DataTransfer): File[] {
  const files = [...data.files];
  return data.getData('text/plain') === '' ? files : [];
}
