/** What the small tokenizer needs to know of a language. Strings are delimiter pairs; a `multiline` one spans lines. */
export interface Language {
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  readonly strings: readonly { open: string; close: string; multiline?: boolean; raw?: boolean }[];
  readonly keywords: ReadonlySet<string>;
  readonly caseless?: boolean;
  /** Names with a capital first letter are types. */
  readonly typeCase?: boolean;
  /** A name or string before `:` is a property (JSON, YAML, CSS). */
  readonly props?: boolean;
  /** Extra characters of a name: `$`, `-`, `@` … */
  readonly nameChars?: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const double = { open: '"', close: '"' };
const single = { open: "'", close: "'" };
const backtick = { open: '`', close: '`', multiline: true };
const cComments = { line: ['//'], block: [['/*', '*/']] } as const;
const hash = { line: ['#'], block: [] } as const;

const SCRIPT: Language = {
  ...cComments,
  strings: [double, single, backtick],
  keywords: words(
    'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined unique using var void while yield string number boolean unknown never object symbol bigint',
  ),
  typeCase: true,
  nameChars: '$',
};

const cLike = (keywords: string, strings: Language['strings'] = [double, single]): Language => ({
  ...cComments,
  strings,
  keywords: words(keywords),
  typeCase: true,
});

const LANGUAGES = {
  script: SCRIPT,
  c: cLike(
    'alignas alignof auto bool break case catch char class concept const consteval constexpr constinit continue co_await co_return co_yield decltype default delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register requires return short signed sizeof static static_assert struct switch template this throw true try typedef typename union unsigned using virtual void volatile while NULL #include #define #if #ifdef #ifndef #endif #else #pragma',
  ),
  java: cLike(
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for if implements import instanceof int interface long native new null package permits private protected public record return sealed short static strictfp super switch synchronized this throw throws transient true false try var void volatile while yield fun val when object companion data is in out override open internal suspend lateinit by init typealias',
    [{ open: '"""', close: '"""', multiline: true }, double, single],
  ),
  csharp: cLike(
    'abstract as async await base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach get goto if implicit in init int interface internal is lock long namespace new null object operator out override params private protected public readonly record ref required return sbyte sealed set short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile when where while with yield',
  ),
  go: cLike(
    'any bool break byte case chan comparable complex64 complex128 const continue default defer else error fallthrough false float32 float64 for func go goto if import int int8 int16 int32 int64 interface iota map nil package range return rune select string struct switch true type uint uint8 uint16 uint32 uint64 uintptr var',
    [double, single, backtick],
  ),
  rust: {
    ...cComments,
    strings: [double],
    keywords: words(
      'as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i8 i16 i32 i64 i128 if impl in isize let loop macro match mod move mut pub ref return self Self static str struct super trait true type u8 u16 u32 u64 u128 union unsafe use usize where while',
    ),
    typeCase: true,
  },
  swift: cLike(
    'actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let mutating nil open operator override private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws true try typealias unowned var weak where while',
  ),
  php: {
    line: ['//', '#'],
    block: [['/*', '*/']],
    strings: [double, single],
    keywords: words(
      'abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enum extends final finally fn for foreach function global goto if implements include instanceof insteadof interface isset list match namespace new null or print private protected public readonly require require_once return static switch throw trait true false try unset use var while xor yield',
    ),
    typeCase: true,
    nameChars: '$',
  },
  python: {
    ...hash,
    strings: [
      { open: '"""', close: '"""', multiline: true },
      { open: "'''", close: "'''", multiline: true },
      double,
      single,
    ],
    keywords: words(
      'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try type while with yield',
    ),
    typeCase: true,
    nameChars: '@',
  },
  ruby: {
    line: ['#'],
    block: [['=begin', '=end']],
    strings: [double, single],
    keywords: words(
      'alias and begin break case class def defined? do else elsif end ensure extend false for if in include module next nil not or private protected public raise redo require require_relative rescue retry return self super then true undef unless until when while yield attr_reader attr_writer attr_accessor',
    ),
    typeCase: true,
    nameChars: '@?!',
  },
  shell: {
    ...hash,
    strings: [double, { ...single, raw: true }],
    keywords: words(
      'alias break case cd continue declare do done echo elif else esac eval exec exit export fi for function if in local read readonly return select set shift source then time trap unset until while sudo',
    ),
    nameChars: '$-',
  },
  powershell: {
    line: ['#'],
    block: [['<#', '#>']],
    strings: [double, { ...single, raw: true }],
    keywords: words(
      'begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach from function if in param process return switch throw trap try until using var while',
    ),
    caseless: true,
    nameChars: '$-',
  },
  sql: {
    line: ['--'],
    block: [['/*', '*/']],
    strings: [{ ...single, raw: true }, double, { open: '`', close: '`' }],
    keywords: words(
      'add all alter and as asc begin between by case cascade check column commit constraint create cross database default delete desc distinct drop else end exists false foreign from full group having if in index inner insert integer into is join key left like limit not null offset on or order outer pragma primary references returning right rollback select set strict table text then transaction trigger true union unique update using values view virtual when where with',
    ),
    caseless: true,
  },
  json: { ...cComments, strings: [double], keywords: words('true false null'), props: true },
  yaml: {
    ...hash,
    strings: [double, { ...single, raw: true }],
    keywords: words('true false null yes no on off'),
    props: true,
    nameChars: '-./',
  },
  toml: {
    line: ['#', ';'],
    block: [],
    strings: [{ open: '"""', close: '"""', multiline: true }, double, { ...single, raw: true }],
    keywords: words('true false'),
    nameChars: '-.',
  },
  css: {
    line: [],
    block: [['/*', '*/']],
    strings: [double, single],
    keywords: words('@media @import @supports @keyframes @font-face @container @layer !important'),
    props: true,
    nameChars: '-@!',
  },
  lua: {
    line: ['--'],
    block: [['--[[', ']]']],
    strings: [double, single, { open: '[[', close: ']]', multiline: true, raw: true }],
    keywords: words(
      'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
    ),
  },
  markup: { line: [], block: [['<!--', '-->']], strings: [double, single], keywords: words('') },
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;

const ALIASES: Readonly<Record<string, LanguageName>> = Object.fromEntries(
  Object.entries({
    script: 'js jsx ts tsx javascript typescript mjs cjs mts cts javascriptreact typescriptreact node',
    c: 'c h cpp c++ cc cxx hpp hh objc objective-c m cuda arduino ino glsl hlsl proto protobuf zig',
    java: 'java kotlin kt kts scala groovy gradle dart',
    csharp: 'cs csharp c# fs fsharp vb',
    go: 'go golang',
    rust: 'rust rs',
    swift: 'swift',
    php: 'php',
    python: 'python py py3 pyi python3 starlark bzl',
    ruby: 'ruby rb rake gemspec elixir ex exs crystal',
    shell:
      'sh bash zsh shell fish console terminal shellscript dockerfile docker makefile make mk r perl pl nix',
    powershell: 'powershell ps1 pwsh psm1 bat cmd',
    sql: 'sql sqlite postgres postgresql mysql plsql',
    json: 'json jsonc json5 jsonl ndjson webmanifest',
    yaml: 'yaml yml',
    toml: 'toml ini conf cfg properties env editorconfig gitconfig',
    css: 'css scss less sass',
    lua: 'lua haskell hs elm',
    markup: 'html htm xml svg vue svelte astro xhtml plist',
  }).flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [alias, name as LanguageName])),
);

/** The rules for a fence's info word or a file extension; null for languages that are shown plain. */
export function languageFor(name: string): { name: LanguageName; rules: Language } | null {
  const key = ALIASES[name.toLowerCase()];
  return key ? { name: key, rules: LANGUAGES[key] } : null;
}

/** The language word for a file's path: its extension, or its name where it has none (`Dockerfile`). */
export function languageOfPath(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name).toLowerCase();
}
