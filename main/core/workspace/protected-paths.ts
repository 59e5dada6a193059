import picomatch from 'picomatch';

/**
 * Files that decide what runs on this machine or what the agent may do. Writing them always needs a person's answer, in
 * every mode and whatever the rules say: one injected line in them is code execution. Lower case, matched at any depth.
 */
const ALWAYS_ASK = [
  // our own settings
  '.lathe/**',
  // other tools' settings, hooks and servers
  '.{vscode,cursor,claude,idea,husky,devcontainer,roo,windsurf,gemini,codex,kiro,continue,zed,fleet}/**',
  '.devcontainer.json',
  '{.mcp,mcp}.json',
  '*.code-workspace',
  // package managers and commit hooks
  '{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.pnpmfile.mjs,bunfig.toml,.pre-commit-config.yaml,.pre-commit-config.yml}',
  '{.lefthook.yml,lefthook.yml,.gitmodules}',
  // read by shells and debuggers
  '.{envrc,bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zprofile,zshenv,zlogin,zlogout}',
  '{.gdbinit,.lldbinit,.inputrc,.netrc,.ripgreprc,.gitconfig,.wgetrc,.curlrc,config.fish}',
] as const;

const asks = picomatch(
  ALWAYS_ASK.flatMap((glob) => [glob, `**/${glob}`]),
  { dot: true, nocase: true },
);

/** Characters that HFS+ ignores in names, so that `.g\u200cit` opens `.git`. */
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** 8.3 short name of `.git` on NTFS. */
const SHORT_GIT = /^git~\d+$/;

/**
 * What stands in the way of writing a path, before any rule is asked: `deny` for everything in a git folder (git alone
 * writes there), `ask` for settings and start-up files, null for the rest. Judges the name alone, by the most permissive
 * file system there is (case, trailing dots and streams ignored), so call it for the path as written and for the real one.
 *
 * @param relativePath workspace-relative, `/` or `\` as separator
 */
export function protection(relativePath: string): 'deny' | 'ask' | null {
  const parts = relativePath
    .replaceAll('\\', '/')
    .split('/')
    .map(canonicalName)
    .filter((part) => part !== '' && part !== '.');
  if (parts.some((part) => part === '.git' || SHORT_GIT.test(part))) return 'deny';
  const canonical = parts.join('/');
  // A folder of the list itself (".husky" made as a file or a link) counts like what is in it.
  return asks(canonical) || asks(`${canonical}/x`) ? 'ask' : null;
}

/** Protected names that begin with a letter. */
const LETTERED = /^(mcp\.json|bunfig\.toml|lefthook\.yml|config\.fish|git~\d+)$|\.code-workspace$/i;
/** Plain names: none of the characters that some file system drops or folds. */
const PLAIN = /^[\w-][\w.@+() -]*[\w@+()-]$|^\w$/;

/**
 * A quick look at one name, for walking large trees: false means that {@link protection} has nothing to say of an entry
 * of this name in an unprotected folder. True means: ask it.
 */
export function mayBeProtected(name: string): boolean {
  return !PLAIN.test(name) || LETTERED.test(name);
}

function canonicalName(name: string): string {
  const plain = name.replace(IGNORABLE, '').normalize('NFKC').toLowerCase();
  const withoutStream = plain.replace(/:.*$/, '');
  return withoutStream === '..' ? '' : withoutStream.replace(/[. ]+$/, '');
}
