import type * as Monaco from 'monaco-editor';

let loading: Promise<typeof Monaco> | null = null;

/** Monaco, ready to use. Its code is megabytes, so it comes when the first file needs it. */
export function loadMonaco(): Promise<typeof Monaco> {
  loading ??= import('./setup').then(
    (setup) => setup.monaco,
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
