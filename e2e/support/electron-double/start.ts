/**
 * Starts a compiled Electron app on Node and Chromium, without Electron: `node start.ts APP_FOLDER [ARG …]`, as
 * `electron APP_FOLDER [ARG …]` would. Its main module's `electron` is the double beside this file.
 *
 * It is a double: what it shows is that the compiled bundles start, wire up and work together over the part of Electron's
 * documented API that they use. It says nothing about Electron itself; e2e/electron runs the same against the real one.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const double = pathToFileURL(path.join(here, 'electron.ts')).href;

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'electron') return { url: double, shortCircuit: true };
    const own =
      context.parentURL?.startsWith(pathToFileURL(path.dirname(here)).href) === true &&
      /^\.\.?\//.test(specifier);
    return next(own ? `${specifier}.ts` : specifier, context);
  },
});

const [, , appFolder, ...args] = process.argv;
if (appFolder === undefined) throw new Error('Electron double: which app? node start.ts APP_FOLDER [ARG …]');
const appPath = path.resolve(appFolder);
const { main } = JSON.parse(readFileSync(path.join(appPath, 'package.json'), 'utf8')) as { main: string };

// Electron's own argv in a checkout: the program, the app's folder, then the user's arguments.
process.argv = ['electron-double', appPath, ...args];
process.title = 'Electron double';
console.error(
  'Electron double: this is not Electron; it stands in for the part of its API that the app uses.',
);

await import(pathToFileURL(path.join(appPath, main)).href);
const { launch } = (await import(double)) as { launch: () => Promise<void> };
await launch();
