import { IMAGE_TYPES } from '../image-types';

/** Pictures beyond this many characters of Base64 are left out. */
const MAX_IMAGE_CHARS = 8_000_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of something that may be anything. */
export const field = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export function text(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === 'string' ? found : null;
}

export function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The text of content that is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => text(part, 'text'))
    .filter((part) => part !== null)
    .join('\n');
}

/** A picture that may be shown and sent, or none. */
export function image(mime: unknown, base64: unknown): { mime: string; base64: string }[] {
  if (typeof mime !== 'string' || typeof base64 !== 'string' || !IMAGE_TYPES.has(mime)) return [];
  if (base64.length === 0 || base64.length > MAX_IMAGE_CHARS || !BASE64.test(base64)) return [];
  return [{ mime, base64 }];
}

/** A picture written as `data:…;base64,…`. */
export function dataUrlImage(url: unknown): { mime: string; base64: string }[] {
  const match = typeof url === 'string' ? /^data:([a-z]+\/[a-z0-9.+-]+);base64,/.exec(url) : null;
  return match && typeof url === 'string' ? image(match[1], url.slice(match[0].length)) : [];
}

/** JSON text of an object, as calls keep their arguments. */
export function argumentsText(value: unknown): string {
  if (isFields(value)) return JSON.stringify(value);
  if (typeof value !== 'string') return '{}';
  try {
    return isFields(JSON.parse(value)) ? value : JSON.stringify({ input: value });
  } catch {
    return value.trim() === '' ? '{}' : JSON.stringify({ input: value });
  }
}
