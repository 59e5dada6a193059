import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const TESTS = '{shared,main,preload,renderer,e2e/support,scripts}/**/*.test.{ts,tsx}';

/** Replaces a module or a clock, changes the environment or the process, or measures its memory. */
const CHANGES_ITS_PROCESS =
  /\bvi\.(?:mock|doMock|stubEnv|stubGlobal|useFakeTimers|resetModules)\b|\bprocess\.(?:chdir|on|once|exit|memoryUsage|umask)\b|\bprocess\.env(?:\.\w+|\[[^\]]+\]) *=[^=]/;

/** Files that take long, most since they start programs or whole hosts over and over: `npm run check` leaves them out. */
const slow = [
  'main/cli/cli.test.ts',
  'main/core/change/baseline/{command-effects,killed-host}.test.ts',
  'main/core/change/bisect/bisect.test.ts',
  'main/core/change/undo/{interleaving,undo-kill}.test.ts',
  'main/core/git/git.test.ts',
  'main/core/process/{process-starter,run-process,shell-pool}.test.ts',
  'main/core/project/project-finder.test.ts',
  'main/core/sandbox/confine.test.ts',
  'main/core/store/open-store.test.ts',
  'main/core/terminal/terminal-service.test.ts',
  'main/core/tool/builtin/{failing-backend,git-cases}.test.ts',
  'main/electron/packaged.test.ts',
  'scripts/lib/code/check-code.test.ts',
];

// A process of its own costs a file a fifth of a second, and what it imports is compiled anew: only for those that need
// it. The tools of scripts/ are large, and a large process starts others slowly.
const alone = globSync(TESTS, { cwd: import.meta.dirname, exclude: slow }).filter(
  (file) =>
    file.startsWith('scripts') ||
    CHANGES_ITS_PROCESS.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
);

export default defineConfig({
  test: {
    environment: 'node',
    // Processes, not threads: tests may take signals and load native modules without meeting each other.
    pool: 'forks',
    maxWorkers: 2,
    passWithNoTests: true,
    // Slow machines are no failures; a test that waits in vain still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // As with the browser's: what passes only then is named in the summary.
    retry: process.env.CI ? 1 : 0,
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: { name: 'together', include: [TESTS], exclude: [...alone, ...slow], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
  },
});
