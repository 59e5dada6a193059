import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';

/** Two private files that a program prints to and this process reads back. */
export class OutputFiles {
  readonly stdout: string;
  readonly stderr: string;
  private readonly fds: [number, number];
  private named = true;

  /** @throws the file system's error when they can't be made */
  constructor(prefix: string) {
    [this.stdout, this.stderr] = [`${prefix}.out`, `${prefix}.err`];
    const first = openSync(this.stdout, 'wx+', 0o600);
    try {
      this.fds = [first, openSync(this.stderr, 'wx+', 0o600)];
    } catch (error) {
      closeSync(first);
      unlinkQuietly(this.stdout);
      throw error;
    }
  }

  /** Takes their names away once the program has them open: nothing is left over then, whoever dies. */
  unname(): void {
    if (!this.named) return;
    this.named = false;
    unlinkQuietly(this.stdout);
    unlinkQuietly(this.stderr);
  }

  read(): { stdout: Buffer; stderr: Buffer } {
    const [stdout, stderr] = this.fds.map(contentOf) as [Buffer, Buffer];
    return { stdout, stderr };
  }

  close(): void {
    this.unname();
    for (const fd of this.fds) closeSync(fd);
  }
}

function contentOf(fd: number): Buffer {
  const bytes = Buffer.allocUnsafe(fstatSync(fd).size);
  let at = 0;
  while (at < bytes.length) {
    const count = readSync(fd, bytes, at, bytes.length - at, at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody cleans the folder for temporary files; the names are gone then.
  }
}
