import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const TESTS = ['**/*.test.{ts,tsx}', 'e2e/**', '**/testing/**', 'bench/**'];

/** Electron's IPC has one door on each side; everything else goes through the contract. */
const noRawIpc = (/** @type {string[]} */ names) => ({
  'no-restricted-imports': [
    'error',
    { paths: names.map((name) => ({ name: 'electron', importNames: [name], message: IPC_DOORS })) },
  ],
});
const IPC_DOORS =
  'ipcMain belongs to main/electron/ipc.ts and ipcRenderer to preload/: declare a channel in shared/contract.';

export default defineConfig(
  globalIgnores([
    'dist/',
    'release/',
    'test-results/',
    'playwright-report/',
    'coverage/',
    'assets/',
    '**/fixtures/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // What an abort signal or a caught value carries is passed on as it is.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // Ports are handed on as objects of closures, which have no \`this\` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // Terminal output, paths and model text are exactly where control characters have to be named.
      'no-control-regex': 'off',
      // Handlers and ports are asynchronous by contract, also where an implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'max-lines': ['warn', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSQualifiedName[left.name="z"][right.name="ZodType"]',
          message: 'Bound by Schema of shared/schema: comparing with z.ZodType takes the compiler seconds.',
        },
      ],
      ...noRawIpc(['ipcMain', 'ipcRenderer']),
    },
  },
  { files: ['main/electron/ipc.ts'], rules: noRawIpc(['ipcRenderer']) },
  { files: ['preload/**'], rules: noRawIpc(['ipcMain']) },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    // Without the rules for the React Compiler, which is not in use.
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  // The command line's output is its product.
  { files: ['main/cli/**'], rules: { 'no-console': 'off' } },
  {
    files: TESTS,
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'no-console': 'off',
      // Playwright reads a fixture's needs from its first parameter, which has to be a pattern.
      'no-empty-pattern': 'off',
      ...noRawIpc([]),
    },
  },
  {
    // Type-checked by tsc, which knows the globals better.
    files: ['**/*.{js,mjs,cjs}'],
    rules: {
      'no-undef': 'off',
      'no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
);
