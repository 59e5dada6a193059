import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{shared,main,preload,renderer,e2e/support,scripts}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Processes, not threads: tests may chdir, take signals and load native modules without meeting each other.
    pool: 'forks',
    maxWorkers: 2,
    passWithNoTests: true,
    testTimeout: 15_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
