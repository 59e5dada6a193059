/** Boundaries. Each rule: who may not reach what, and why in one line. */
const deny = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const SRC = '^(shared|main|preload|renderer|e2e)/';
const TEST = '[.](test|spec)[.]tsx?$|^e2e/|/testing/';
module.exports = {
  forbidden: [
    deny('no-cycles', 'a cycle hides an owner', {}, { circular: true }),
    deny(
      'shared-is-a-leaf',
      'contract and model must load anywhere',
      { path: '^shared/' },
      { path: SRC, pathNot: '^shared/' },
    ),
    deny(
      'shared-only-zod',
      'no node, DOM or electron package in shared; the line comparison is plain arithmetic',
      { path: '^shared/', pathNot: TEST },
      { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: 'node_modules/(zod|fast-myers-diff)/' },
    ),
    deny(
      'electron-in-two-places',
      'the app must run without the electron binary',
      { path: SRC, pathNot: '^(main/electron|preload|e2e/electron)/' },
      { path: '^(node_modules/)?electron(/|$)' },
    ),
    deny(
      'core-is-headless',
      'core knows services, not channels, hosts or UI',
      { path: '^main/core/' },
      { path: '^(main/(api|rpc|electron|web|cli)|preload|renderer)/' },
    ),
    deny(
      'core-serves-nobody',
      'listening is for hosts; core may only fetch',
      { path: '^main/(core|api|rpc)/', pathNot: TEST },
      { path: '^(node_modules/)?(ws|express|fastify|hono|koa|@hono)(/|$)' },
    ),
    deny(
      'rpc-is-generic',
      'router and framing know the contract shape, no domain',
      { path: '^main/rpc/' },
      { path: '^(main/(core|api|electron|web|cli)|preload|renderer)/' },
    ),
    deny(
      'api-sees-core-only',
      'channel handlers stay host-neutral',
      { path: '^main/api/' },
      { path: '^(main/(electron|web|cli)|preload|renderer)/' },
    ),
    deny(
      'hosts-are-strangers',
      'electron and web hosts never import each other',
      { path: '^main/(electron|web)/' },
      { path: '^main/(electron|web|cli)/', pathNot: '^main/$1/' },
    ),
    deny(
      'cli-starts-no-window',
      'the command line may start the web host, never Electron',
      { path: '^main/cli/' },
      { path: '^main/electron/' },
    ),
    deny(
      'renderer-sees-shared',
      'everything else crosses the bridge',
      { path: '^renderer/' },
      { path: '^(main|preload)/' },
    ),
    deny(
      'renderer-no-node',
      'the renderer is a web page',
      { path: '^renderer/', pathNot: TEST },
      { dependencyTypes: ['core'] },
    ),
    deny(
      'preload-is-thin',
      'preload may see the contract only',
      { path: '^preload/' },
      { path: SRC, pathNot: '^(preload/|shared/contract/)' },
    ),
    deny(
      'features-are-strangers',
      'panes meet in renderer/app',
      { path: '^renderer/features/([^/]+)/' },
      { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    ),
    deny(
      'lib-and-ui-below-features',
      'no upward import',
      { path: '^renderer/(lib|ui)/' },
      { path: '^renderer/(features|app)/' },
    ),
    deny(
      'ui-is-dumb',
      'primitives take props; no bridge, no store',
      { path: '^renderer/ui/' },
      { path: '^renderer/lib/' },
    ),
    deny(
      'sqlite-behind-store',
      'one owner for SQL',
      { path: SRC, pathNot: '^main/core/store/' },
      { path: 'node_modules/(@types/)?better-sqlite3/' },
    ),
    deny(
      'pty-behind-terminal',
      'one owner for PTYs',
      { path: SRC, pathNot: '^main/core/terminal/' },
      { path: '^(node_modules/)?node-pty(/|$)' },
    ),
    deny(
      'openai-behind-model',
      'provider detail stays in one folder',
      { path: SRC, pathNot: '^main/core/model/' },
      { path: 'node_modules/openai/' },
    ),
    deny(
      'tools-are-strangers',
      'a tool file imports ports and define.ts, not another tool',
      { path: '^main/core/tool/builtin/([^/]+)$', pathNot: TEST },
      { path: '^main/core/tool/builtin/', pathNot: '^main/core/tool/builtin/lib/' },
    ),
    deny('no-test-code-in-product', 'fixtures do not ship', { path: SRC, pathNot: TEST }, { path: TEST }),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
