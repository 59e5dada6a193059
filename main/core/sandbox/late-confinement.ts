import { AppError } from '../../../shared/error';
import { whenIdle } from '../process/when-idle';
import { mayConfine, planConfinement, type Confinement, type ConfinementOptions } from './confine';

/**
 * The confinement of a project, made when it is first needed or in a quiet moment before: it takes 40 to 80 ms, and a model
 * that is asked meanwhile thinks for longer than that. Where it turns out that none can be had, nothing runs.
 */
export class LateConfinement {
  private readonly outcome = Promise.withResolvers<void>();
  private making: Promise<Confinement> | null = null;
  private stopLooking: (() => void) | null = null;
  private isClosed = false;

  /** @throws AppError `unsupported` when it is plain that this machine can't confine commands */
  constructor(
    private readonly root: string,
    private readonly options: ConfinementOptions,
  ) {
    if (!mayConfine()) throw notConfined();
    // Whoever asks for it hears of a failure.
    this.outcome.promise.catch(() => undefined);
  }

  /** Settles once it is made or can't be; starts nothing. @throws AppError `unsupported` */
  get known(): Promise<void> {
    return this.outcome.promise;
  }

  /** @throws AppError `unsupported` when this machine can't confine commands */
  get(): Promise<Confinement> {
    if (this.making === null) {
      this.stopLooking?.();
      this.making = this.make();
      this.making.then(() => this.outcome.resolve(), this.outcome.reject);
    }
    return this.making;
  }

  /** Makes it as soon as this process has nothing else to do; starts a shell inside without keeping anybody waiting. */
  prepareSoon(): void {
    if (this.making !== null) {
      this.making.then(
        ({ shells }) => shells.prepareSoon(),
        () => undefined,
      );
      return;
    }
    this.stopLooking ??= whenIdle(() => {
      this.get().then(
        ({ shells }) => shells.prepare(),
        () => undefined,
      );
    });
  }

  /** Ends everything that still runs inside. */
  close(): void {
    this.isClosed = true;
    this.stopLooking?.();
    this.making?.then(
      (made) => made.close(),
      () => undefined,
    );
  }

  private async make(): Promise<Confinement> {
    const made = this.isClosed ? null : await planConfinement(this.root, this.options);
    if (made === null) throw notConfined();
    return made;
  }
}

const notConfined = (): AppError =>
  new AppError(
    'unsupported',
    'Commands can’t be confined on this machine, so running all of them unasked is refused.',
    { hint: 'Install bubblewrap or allow user namespaces, or use --approve edits.' },
  );
