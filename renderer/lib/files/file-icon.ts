import { baseName, extensionOf } from './workspace-path';

/** Whole names (lower case) that say more than their extension does. */
const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'layers',
  makefile: 'tools',
  license: 'law',
  'license.md': 'law',
  'license.txt': 'law',
  '.gitignore': 'git-branch',
  '.gitattributes': 'git-branch',
  '.gitmodules': 'git-branch',
  '.editorconfig': 'settings-gear',
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  'file-code':
    'ts tsx mts cts js jsx mjs cjs py rb go rs java kt kts c h cc cpp cxx hpp cs php swift m mm scala clj ex exs erl hs lua pl r dart vue svelte zig ml fs vb asm s html htm xhtml xml wasm graphql gql proto tf sol',
  json: 'json jsonc json5 jsonl geojson ipynb webmanifest',
  markdown: 'md mdx markdown',
  'file-text': 'txt rst adoc log tex',
  paintcan: 'css scss sass less styl',
  'settings-gear': 'yaml yml toml ini cfg conf properties plist',
  terminal: 'sh bash zsh fish ps1 psm1 bat cmd',
  database: 'sql sqlite sqlite3 db',
  table: 'csv tsv parquet xlsx xls ods',
  'file-media': 'png jpg jpeg gif webp avif bmp ico svg tif tiff heic mp3 wav ogg flac mp4 webm mov mkv avi',
  'symbol-text': 'ttf otf woff woff2 eot',
  'file-zip': 'zip gz tgz tar bz2 xz zst 7z rar jar',
  'file-pdf': 'pdf',
  'file-binary': 'exe dll so dylib bin o a class pyc node dat',
  lock: 'lock pem key crt cer p12',
  diff: 'diff patch',
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS).flatMap(([icon, list]) => list.split(' ').map((name) => [name, icon] as const)),
);

const isTest = (name: string): boolean =>
  /(?:[._-](?:test|spec)s?\.[a-z0-9]+$)|(?:^test_.*\.py$)|(?:_test\.(?:go|py|rb)$)/.test(name);

/** The codicon that stands for a file in trees, tabs and lists; names are judged, contents are not. */
export function fileIcon(path: string): string {
  const name = baseName(path).toLowerCase();
  const known = BY_NAME[name];
  if (known !== undefined) return known;
  if (name === '.env' || name.startsWith('.env.')) return 'lock';
  if (isTest(name)) return 'beaker';
  return BY_EXTENSION.get(extensionOf(name)) ?? 'file';
}
