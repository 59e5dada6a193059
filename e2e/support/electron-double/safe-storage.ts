import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { guarded } from './guarded';
import { requireReady } from './lifecycle';

/** A key that is the same on the next start, as a keychain's is. It protects nothing: this is a double. */
const KEY = createHash('sha256').update(`electron-double ${homedir()}`).digest();

/** https://www.electronjs.org/docs/latest/api/safe-storage */
export const safeStorage = guarded('safeStorage', {
  isEncryptionAvailable(): boolean {
    requireReady('safeStorage');
    return true;
  },
  getSelectedStorageBackend(): string {
    requireReady('safeStorage');
    return 'gnome_libsecret';
  },
  encryptString(plainText: string): Buffer {
    requireReady('safeStorage');
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', KEY, iv);
    const text = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]);
  },
  decryptString(encrypted: Buffer): string {
    requireReady('safeStorage');
    const decipher = createDecipheriv('aes-256-gcm', KEY, encrypted.subarray(0, 12));
    decipher.setAuthTag(encrypted.subarray(12, 28));
    return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8');
  },
});
