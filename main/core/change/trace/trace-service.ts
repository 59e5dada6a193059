import { AppError } from '../../../../shared/error';
import type { LineOrigin } from '../../../../shared/model/change';
import type { Store } from '../../store/types';
import type { FileBytes, WorkspaceFiles } from '../../workspace/types';
import type { ChangeStore, TraceService } from '../types';
import { MAX_COMPARED_BYTES, type ContentTexts } from './content-texts';
import { fileVersions, pathHistory, stepVersions, type HistoryStep, type StepVersion } from './path-history';
import { writersOfLines } from './trace-job';
import { TurnRefs } from './turn-refs';

export interface TraceOptions {
  store: Pick<ChangeStore, 'chain'>;
  sessions: Pick<Store, 'sessions' | 'windows'>;
  texts: ContentTexts;
  /** @throws AppError `no_project` */
  project(): { id: string; files: WorkspaceFiles };
}

/** The file as it is; null when there is none, or it is too large to be compared. */
export async function currentFile(files: WorkspaceFiles, path: string): Promise<FileBytes | null> {
  try {
    return await files.readBytes(path, { maxBytes: MAX_COMPARED_BYTES });
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'file_too_large'].includes(error.code)) return null;
    throw error;
  }
}

/** The contents from the log, and what is on the disk when that is another one. */
export function withCurrent(versions: readonly StepVersion[], current: FileBytes | null): StepVersion[] {
  const last = versions.at(-1);
  if (last !== undefined && (last.state?.hash ?? null) === (current?.hash ?? null)) return [...versions];
  const state = current && {
    ...{ kind: 'file' as const, hash: current.hash as NonNullable<StepVersion['state']>['hash'] },
    ...{ mode: current.mode & 0o777, sizeBytes: current.sizeBytes, isKept: true },
  };
  return [...versions, { state, step: null }];
}

/** Texts of contents by hash, all that are to be had. */
export async function loadTexts(
  versions: readonly StepVersion[],
  path: string,
  texts: ContentTexts,
): Promise<(state: { hash: string }) => string | undefined> {
  const loaded = new Map<string, string>();
  for (const { state } of versions) {
    if (state === null || loaded.has(state.hash)) continue;
    const file = await texts.of(state, path);
    if (file !== null) loaded.set(state.hash, file.text);
  }
  return (state) => loaded.get(state.hash);
}

/** Lines next to each other with the same writer are one run. */
function toRuns(origins: readonly (HistoryStep | null)[], refs: TurnRefs): LineOrigin[] {
  const runs: (LineOrigin & { step: HistoryStep | null })[] = [];
  for (const [at, step] of origins.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.step?.set.id === step?.set.id) last.lines += 1;
    else runs.push({ startLine: at + 1, lines: 1, set: step && shown(step, refs), step });
  }
  return runs.map(({ step: _step, ...run }) => run);
}

const shown = ({ set }: HistoryStep, refs: TurnRefs): LineOrigin['set'] => ({
  ...{ id: set.id, at: set.at, author: set.author, label: set.label },
  turn: refs.of(set.author),
});

/** Files of which the answer is kept: a window asks again whenever anything changes. */
const MAX_KNOWN = 20;

/** Says which change wrote which line of a file as it is on the disk. */
export function createTraceService({ store, sessions, texts, project }: TraceOptions): TraceService {
  const known = new Map<string, { key: string; writers: (HistoryStep | null)[] }>();
  const writersOf = async (name: string, current: FileBytes): Promise<(HistoryStep | null)[]> => {
    const { id } = project();
    const steps = pathHistory(store, id, name);
    const key = `${current.hash} ${steps.length} ${steps.at(-1)?.set.seq ?? 0}`;
    const found = known.get(`${id} ${name}`);
    if (found?.key === key) return found.writers;
    const versions = withCurrent(stepVersions(steps), current);
    const textOf = await loadTexts(versions, name, texts);
    const writers = await writersOfLines(fileVersions(versions, textOf));
    known.delete(`${id} ${name}`);
    known.set(`${id} ${name}`, { key, writers });
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return writers;
  };
  return {
    origins: async (path) => {
      const { files } = project();
      const current = await currentFile(files, path);
      if (current === null) return { hash: null, origins: [] };
      const text = await texts.ofBytes(current.bytes, current.hash, path);
      const hash = withCurrent([], current)[0]?.state?.hash ?? null;
      if (text === null) return { hash, origins: [] };
      const { realRelative } = await files.resolve(path);
      return { hash, origins: toRuns(await writersOf(realRelative, current), new TurnRefs(sessions)) };
    },
  };
}
