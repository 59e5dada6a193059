import { expect, test } from 'vitest';
import { checkKinds, exitTells, mayWrite } from './command-kind';

test.each([
  ['npm test', ['tests']],
  ['npm run test:unit -- --run', ['tests']],
  ['cd packages/a && npx vitest run src', ['tests']],
  ['CI=1 pnpm test', ['tests']],
  ['node --test', ['tests']],
  ['python3 -m pytest -q', ['tests']],
  ['./node_modules/.bin/jest a', ['tests']],
  ['go test ./...', ['tests']],
  ['cargo test', ['tests']],
  ['make test', ['tests', 'build']],
  ['npx tsc --noEmit', ['types', 'build']],
  ['npm run lint', ['lint']],
  ['npx prettier --check .', ['lint']],
  ['npm run build', ['build']],
  ['npm run check', ['any']],
  ['bash -c "npm test"', ['tests']],
  ['echo "npm test"', []],
  ['git commit -m "make tests pass"', []],
  ['grep -rn test src', []],
  ['cat jest.config.js', []],
  ['ls', []],
])('%s checks %j', (command, kinds) => {
  expect(checkKinds(command)).toEqual(kinds);
});

test.each([
  ['npm test', true],
  ['npm test 2>&1', true],
  ['npm test > out.txt', true],
  ['cd a && npm test', true],
  ['npm run build && npm test', true],
  ['npm test -- -t "a | b; c"', true],
  ['set -o pipefail; npm test | tail -5', true],
  ['npm test | tail -20', false],
  ['npm test || true', false],
  ['npm test; echo done', false],
  ['npm test &', false],
])('exit 0 of "%s" means that the check passed: %s', (command, tells) => {
  expect(exitTells(command)).toBe(tells);
});

test.each([
  ['sed -i s/a/b/ x.ts', true],
  ['git mv a b', true],
  ['npm install lodash', true],
  ['npx prettier --write .', true],
  ['eslint --fix src', true],
  ['echo x > a.txt', true],
  ['cat <<E >> a.txt', true],
  ['rm -r dist', true],
  ['python3 -c "open(1)"', true],
  ['npm test', false],
  ['npm test > /dev/null 2>&1', false],
  ['ls -la', false],
  ['git status', false],
  ['git log --oneline', false],
  ['cat a.txt', false],
])('"%s" may change files: %s', (command, writes) => {
  expect(mayWrite(command)).toBe(writes);
});
