import { expect, test as base } from '../fixtures';
import { launchDouble, type ElectronDouble } from './launch-double';

/** The fixtures of all specs, with the app over the Electron double on the sample project. */
export const test = base.extend<{ app: ElectronDouble }>({
  app: async ({ home, project }, use) => {
    const app = launchDouble({ home, args: [project] });
    await use(app);
    await app.dispose();
  },
});

export { expect };
