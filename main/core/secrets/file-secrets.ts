import { chmod, readFile, rename, stat } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import type { SecretStore } from '../host-port';
import { replaceFile } from '../settings/replace-file';

const Secrets = z.record(z.string(), z.string());
type Secrets = z.infer<typeof Secrets>;

export interface FileSecretsOptions {
  /** Absolute path of the JSON file; created 0600 in a folder of its own user. */
  path: string;
  /** Told what was put right: a mode that let others read, a damaged file set aside. */
  onNotice: (text: string) => void;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Closes a file that others could read and says so; a file of another user is not ours to trust. */
async function repairMode({ path, onNotice }: FileSecretsOptions): Promise<void> {
  if (process.platform === 'win32') return;
  const facts = await stat(path);
  if (facts.uid !== process.getuid?.()) {
    throw new AppError('io_failed', `The key file ${path} belongs to another user.`, {
      hint: 'Remove the file or make it your own, then enter the keys again.',
      detail: { path },
    });
  }
  if ((facts.mode & 0o077) === 0) return;
  await chmod(path, 0o600);
  const was = (facts.mode & 0o777).toString(8);
  onNotice(
    `Other users could read the key file ${path} (mode ${was}); it is now yours alone (600). Consider new keys.`,
  );
}

async function setAside({ path, onNotice }: FileSecretsOptions): Promise<void> {
  const aside = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  await rename(path, aside);
  onNotice(`The key file was damaged and was moved to ${aside}; enter your keys again.`);
}

async function readAll(options: FileSecretsOptions): Promise<Secrets> {
  try {
    await repairMode(options);
    const text = await readFile(options.path, 'utf8');
    const parsed = Secrets.safeParse(text.trim() === '' ? {} : parseJson(text));
    if (parsed.success) return parsed.data;
    await setAside(options);
    return {};
  } catch (error) {
    if (isMissing(error)) return {};
    if (error instanceof AppError) throw error;
    throw new AppError('io_failed', `The key file ${options.path} could not be read.`, {
      hint: 'Check its permissions.',
      cause: error,
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Provider keys in a 0600 JSON file: for hosts without a keychain. Read anew each time, so that processes agree. */
export function createFileSecrets(options: FileSecretsOptions): SecretStore {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
  const change = (edit: (secrets: Map<string, string>) => void): Promise<void> =>
    inTurn(async () => {
      const secrets = new Map(Object.entries(await readAll(options)));
      edit(secrets);
      await replaceFile(options.path, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`);
    });
  const get = async (name: string): Promise<string | null> => {
    const secrets = await inTurn(() => readAll(options));
    return Object.hasOwn(secrets, name) ? (secrets[name] ?? null) : null;
  };
  return {
    get,
    has: async (name) => (await get(name)) !== null,
    set: (name, value) => change((secrets) => secrets.set(name, value)),
    remove: (name) => change((secrets) => secrets.delete(name)),
  };
}
