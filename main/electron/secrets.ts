import { safeStorage } from 'electron';
import type { SecretStore } from '../core/host-port';

export interface SafeSecretsOptions {
  /** Where the encrypted values are kept, as base64: a 0600 file. */
  file: SecretStore;
  platform?: NodeJS.Platform;
  /** Told, once, what the user has to know: no keychain, or a value that can't be read any more. */
  onNotice: (text: string) => void;
}

const NO_KEYCHAIN =
  'This system offers no keychain, so provider keys are kept until Lathe is closed and have to be entered again then. Install GNOME Keyring or KWallet to keep them.';

/** On Linux without a keychain Electron "encrypts" with a password that everybody knows: that is no protection. */
function hasKeychain(platform: NodeJS.Platform): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
}

/**
 * Provider keys encrypted by the system's keychain (safeStorage). Without one nothing is written: the values live as long
 * as the process (sec-H09). Only for use after the app is ready.
 */
export function createSafeSecrets(options: SafeSecretsOptions): SecretStore {
  const { file, platform = process.platform } = options;
  const inMemory = new Map<string, string>();
  const told = new Set<string>();
  const tellOnce = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    options.onNotice(text);
  };

  const decrypt = (name: string, stored: string): string | null => {
    try {
      return safeStorage.decryptString(Buffer.from(stored, 'base64'));
    } catch {
      tellOnce(`The stored key of ${name} can't be read: it was made by another keychain. Enter it again.`);
      return null;
    }
  };
  const get = async (name: string): Promise<string | null> => {
    const live = inMemory.get(name);
    if (live !== undefined) return live;
    if (!hasKeychain(platform)) return null;
    const stored = await file.get(name);
    return stored === null ? null : decrypt(name, stored);
  };
  return {
    get,
    has: async (name) => (await get(name)) !== null,
    set: async (name, value) => {
      if (!hasKeychain(platform)) {
        tellOnce(NO_KEYCHAIN);
        inMemory.set(name, value);
        return;
      }
      await file.set(name, safeStorage.encryptString(value).toString('base64'));
    },
    remove: async (name) => {
      inMemory.delete(name);
      await file.remove(name);
    },
  };
}
