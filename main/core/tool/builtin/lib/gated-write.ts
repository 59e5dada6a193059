import { AppError } from '../../../../../shared/error';
import type { ResolvedPath, WorkspaceFiles } from '../../../workspace/types';
import type { ToolContext } from '../../types';

type Conditions = NonNullable<Parameters<WorkspaceFiles['writeBytes']>[2]>;

/**
 * A write in two parts: until it may replace the file, the new bytes and the image of the old ones can already be on their
 * way to the disk.
 */
export class GatedWrite {
  private begun: {
    open: PromiseWithResolvers<void>;
    written: ReturnType<WorkspaceFiles['writeBytes']>;
  } | null = null;
  /** The disk is at work on the new bytes. */
  private readonly atWork = Promise.withResolvers<void>();
  private isFinished = false;
  private named: Promise<void> = Promise.resolve();

  constructor(
    private readonly target: ResolvedPath,
    private readonly bytes: Buffer,
    private readonly conditions: Conditions,
    private readonly context: Pick<ToolContext, 'files'>,
  ) {}

  /** Begins where that leaves no trace in the project: a new file may need a folder, so it has to wait. */
  async begin(): Promise<void> {
    if (!this.target.exists) return;
    const { written } = this.start();
    // A write that fails at once is told by `finish`.
    await Promise.race([this.atWork.promise, written.catch(() => undefined)]);
  }

  /** @throws AppError `stale` when the file is no longer the expected one, and those of `writeBytes` */
  async finish(): Promise<{ hash: string }> {
    const { open, written } = this.start();
    this.isFinished = true;
    open.resolve();
    const { hash, named } = await written;
    this.named = named;
    return { hash };
  }

  /** Once {@link finish} has replaced the file: settles when that outlives a power cut too. Never rejects. */
  get durable(): Promise<void> {
    return this.named;
  }

  /** Gives up what was begun; without effect once `finish` was called. */
  abandon(): void {
    if (this.isFinished) return;
    this.begun?.open.reject(new AppError('cancelled', 'The change was not made.', { audience: 'log' }));
  }

  private start(): NonNullable<typeof this.begun> {
    if (this.begun === null) {
      const open = Promise.withResolvers<void>();
      const after = open.promise;
      const written = this.context.files.writeBytes(this.target.relative, this.bytes, {
        ...this.conditions,
        after,
        // Left to the thread pool while the end of the call is put together.
        namesLater: true,
        onBegun: () => this.atWork.resolve(),
      });
      // Either may fail before, or without, anybody waiting for it.
      after.catch(() => undefined);
      written.catch(() => undefined);
      this.begun = { open, written };
    }
    return this.begun;
  }
}
