/** The part of Monaco's language registrations that tells which files are of a language. */
export interface LanguageFacts {
  id: string;
  aliases?: string[];
  extensions?: string[];
  filenames?: string[];
}

/** Names that people give files of a known language, beyond those that Monaco knows. */
const MORE: Readonly<Record<string, string>> = {
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.jsonc': 'json',
  '.webmanifest': 'json',
  '.geojson': 'json',
  '.zsh': 'shell',
  '.env': 'ini',
  '.gitconfig': 'ini',
  '.toml': 'ini',
};

/** The language of a file by its whole name, else by the longest extension that fits; `plaintext` for none. */
export function languageOf(languages: readonly LanguageFacts[], path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const byName = languages.find((language) =>
    language.filenames?.some((known) => known.toLowerCase() === name),
  );
  if (byName) return byName.id;
  let best = { length: 0, id: 'plaintext' };
  const offer = (extension: string, id: string): void => {
    if (extension.length > best.length && name.endsWith(extension.toLowerCase()))
      best = { length: extension.length, id };
  };
  for (const language of languages)
    for (const extension of language.extensions ?? []) offer(extension, language.id);
  for (const [extension, id] of Object.entries(MORE)) offer(extension, id);
  return best.id;
}

/** What people call a language. */
export function languageName(languages: readonly LanguageFacts[], id: string): string {
  if (id === 'plaintext') return 'Plain text';
  const aliases = languages
    .filter((language) => language.id === id)
    .flatMap((language) => language.aliases ?? []);
  return aliases[0] ?? id;
}
