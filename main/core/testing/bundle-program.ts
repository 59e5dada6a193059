import { join } from 'node:path';
import { build, type InputOptions } from 'rolldown';

const ROOT = join(import.meta.dirname, '../../..');

/** Bundles programs from source for tests that start and kill them; packages with binaries stay beside the bundle. */
export async function bundleProgram(input: NonNullable<InputOptions['input']>, dir: string): Promise<void> {
  await build({
    input,
    external: [
      /^(?:better-sqlite3|node-pty|web-tree-sitter)(?:\/|$)/,
      /^@(?:parcel|vscode)\//,
      /^(?:bufferutil|utf-8-validate)$/,
    ],
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    cwd: ROOT,
    tsconfig: join(ROOT, 'tsconfig.base.json'),
    logLevel: 'silent',
    output: {
      dir,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunks/[name]-[hash].mjs',
    },
  });
}
