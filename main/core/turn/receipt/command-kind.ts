import type { CheckKind } from '../../../../shared/model/receipt';

/** What starts a part of a command line: its beginning, or what joins parts. */
const START = String.raw`(?:^|[;&|(]|\b(?:npx|bunx|pnpm exec|yarn|poetry run|uv run|bundle exec|time|env|sudo|then|do)\s)\s*(?:\w+=\S*\s+)*(?:\S*\/)?`;
const SCRIPT = String.raw`(?:npm|pnpm|yarn|bun)\s+(?:run\s+|-\S+\s+|--\S+\s+)*`;

const part = (words: string): RegExp => new RegExp(`${START}(?:${words})(?=$|[\\s;&|)])`, 'm');

const KINDS: readonly (readonly [CheckKind, RegExp])[] = [
  [
    'tests',
    part(
      String.raw`${SCRIPT}(?:t|test|tests|unit|e2e)(?:[:\w-]*)|node\s+(?:--\S+\s+)*--test(?:=\S+)?|(?:vitest|jest|mocha|ava|tap|pytest|py\.test|tox|nox|rspec|phpunit|ctest|playwright)|python3?\s+-m\s+(?:pytest|unittest)|go\s+test|cargo\s+(?:nextest|test)|(?:mvnw?|gradlew?)\s+(?:\S+\s+)*(?:test|verify|check)|dotnet\s+test|swift\s+test|zig\s+build\s+test|mix\s+test|bats|deno\s+test|bun\s+test|make\s+(?:\S+\s+)*(?:test|tests)|just\s+test|rake\s+(?:test|spec)|bazel\s+test|rails\s+test|sbt\s+test|flutter\s+test`,
    ),
  ],
  [
    'types',
    part(
      String.raw`${SCRIPT}(?:types?|typecheck|type-check|tsc)(?:[:\w-]*)|tsc|vue-tsc|mypy|pyright|cargo\s+check|go\s+vet|flow\s+check`,
    ),
  ],
  [
    'lint',
    part(
      String.raw`${SCRIPT}(?:lint|format:check)(?:[:\w-]*)|eslint|ruff|flake8|pylint|golangci-lint|rubocop|shellcheck|stylelint|biome|cargo\s+clippy|prettier\s+(?:\S+\s+)*(?:--check|-c)|make\s+lint`,
    ),
  ],
  [
    'build',
    part(
      String.raw`${SCRIPT}(?:build|compile)(?:[:\w-]*)|make|cmake|ninja|cargo\s+build|go\s+build|gcc|g\+\+|clang|javac|rustc|vite\s+build|webpack|rollup|esbuild|(?:mvnw?|gradlew?)\s+(?:\S+\s+)*(?:build|package|compile|assemble|install)|dotnet\s+build|swift\s+build|docker\s+build|bazel\s+build|tsc`,
    ),
  ],
  [
    'any',
    part(
      String.raw`${SCRIPT}(?:check|ci|verify|validate)(?:[:\w-]*)|make\s+(?:check|ci)|just\s+(?:check|ci)|pre-commit`,
    ),
  ],
];

/** What a command line checks, by its words; [] when it checks nothing that is known. */
export function checkKinds(command: string): CheckKind[] {
  const code = withoutQuotes(command);
  return KINDS.filter(([, words]) => words.test(code)).map(([kind]) => kind);
}

/** Whether exit code 0 of the line means that its checks passed: nothing after them may decide it. */
export function exitTells(command: string): boolean {
  const code = withoutQuotes(command)
    .trim()
    .replace(/\s\d?>&\d|\s\d?>{1,2}\s*\S+/g, '');
  if (/set -\w*o pipefail/.test(code)) return !/\|\||;\s*(?:true|echo|exit)\b/.test(code);
  const parts = code.split(/\|\||\||;|\n|(?<!&)&(?!&)/).map((each) => each.trim());
  return parts.length < 2 || !parts.slice(0, -1).some((each) => checkKinds(each).length > 0);
}

/** Words in quotes are arguments and no commands; what a shell is given to run in quotes stays. */
const withoutQuotes = (command: string): string =>
  command.replace(/(-l?c\s+)?("(?:[^"\\]|\\.)*"|'[^']*')/g, (whole, shell: string | undefined) =>
    shell === undefined ? '""' : `; ${whole.slice(shell.length + 1, -1)} `,
  );

const WRITING = [
  part(
    String.raw`(?:mv|cp|rm|rmdir|mkdir|touch|tee|ln|patch|truncate|install|unzip|rsync|dd|chmod)|tar\s+-?\w*x\w*|git\s+(?:mv|rm|apply|am|checkout|restore|revert|merge|rebase|cherry-pick|pull|stash|reset|clean|clone|init|switch)|(?:npm|pnpm|yarn|bun)\s+(?:i|install|ci|add|remove|uninstall|update|upgrade|init|create|dlx|version)|(?:pip3?|poetry|uv|cargo|go|gem|composer|bundle|dotnet)\s+(?:install|add|remove|get|mod|new|init|fmt|update|lock|sync|generate)|gofmt|goimports|black|isort|rustfmt|jscodeshift|codemod`,
  ),
  /\b(?:sed|perl|ruby)\b[^;&|]*\s-\w*i/,
  /\b(?:prettier|biome)\b[^;&|]*\s(?:--write|-w\b)/,
  /\b(?:eslint|ruff|rubocop|stylelint|clippy)\b[^;&|]*\s(?:--fix|-a\b|-A\b)/,
  /(?:^|[^0-9&<>=-])>{1,2}\s*(?!\s*(?:&|\/dev\/))/,
  /\b(?:python3?|node|ruby|perl|bash|sh)\s+(?:-\w\s+)?['"<]/,
];

/** True for command lines that may change files: their effect is not in the diffs, but it is not nothing either. */
export const mayWrite = (command: string): boolean => WRITING.some((pattern) => pattern.test(command));
