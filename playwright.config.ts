import { defineConfig } from '@playwright/test';
import { QUIET_BROWSER } from './e2e/support/quiet-browser';

const launchOptions = {
  // Set by scripts/e2e.mjs: the browser that the machine has, where Playwright can't fetch its own.
  ...(process.env.LATHE_CHROMIUM ? { executablePath: process.env.LATHE_CHROMIUM } : {}),
  args: QUIET_BROWSER,
};

const project = (name: string) => ({
  name,
  testMatch: `${name}/**/*.spec.ts`,
  // A trace puts scripts of its own into every new page; over the double, a page that is refused then never settles.
  ...(name === 'electron-double' ? { use: { trace: 'off' as const } } : {}),
});

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/artifacts',
  timeout: 90_000,
  // Slow machines are no failures; a test that waits in vain still ends.
  expect: { timeout: 15_000 },
  // Each test has a host, a home and a window of its own, so none needs those before it in its file.
  fullyParallel: true,
  workers: 2,
  // On a shared machine one second try tells a fault from a stall; `npm test` names every test that needed it.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // A trace costs a quarter of the time. `npm run e2e -- --trace on -g "name"` makes one.
    trace: process.env.CI ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
    launchOptions,
  },
  // `npm run e2e` runs the first three; pictures and the long run are made on demand (`screenshots`, `soak`).
  projects: ['web', 'electron-double', 'electron', 'screenshots', 'soak'].map(project),
});
