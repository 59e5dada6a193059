/** A word of a shell script, whatever is in it but NUL. */
export const shellWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The same for scripts that are read line by line; their variable `nl` has to hold a line break. */
export const shellLineWord = (word: string): string => shellWord(word).replaceAll('\n', `'"$nl"'`);
