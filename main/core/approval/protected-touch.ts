import { posix } from 'node:path';
import { placeAfter } from './danger';
import type { ShellParse, SimpleCommand } from './shell-parse';
import { programName } from './shell-unwrap';
import type { PathPlace } from './system-paths';

/** What is known of a workspace-relative path: never written, always asked about, or nothing special. */
export type ProtectionLookup = (relativePath: string) => 'deny' | 'ask' | null;

/** Programs that only read what their arguments name, whatever their options (those that write are look-alikes). */
const READERS = new Set(
  'ls cat head tail wc stat file grep egrep fgrep rg less more diff cmp cd pushd pwd echo printf test [ git find tree du md5sum sha256sum sha1sum cut nl od xxd jq which'.split(
    ' ',
  ),
);

function relativeTo(path: string, place: PathPlace): string | null {
  const absolute = posix.resolve(place.cwd, path);
  const relative = posix.relative(place.projectRoot, absolute);
  return relative === '' || relative.startsWith('../') || relative === '..' ? null : relative;
}

function hit(path: string, place: PathPlace, protect: ProtectionLookup): string | null {
  const relative = relativeTo(path, place);
  return relative !== null && protect(relative) !== null ? relative : null;
}

/** Words of a command that may be paths: operands, values after `=`, targets of sed's `w`. */
function candidates(command: SimpleCommand): string[] {
  return command.argv.slice(1).flatMap((word) => {
    const written = /(?:^|[\s;/}])[wW]\s*([^\s;}]+)$/.exec(word)?.[1];
    return [word, word.replace(/^[^=]*=/, ''), ...(written === undefined ? [] : [written])];
  });
}

/**
 * A sentence that names the protected file a command line seems to write, or null. It goes by the words as written, so it
 * is a warning for people; what really holds is that every command asks and that flags run confined.
 */
export function protectedTouch(
  parse: ShellParse,
  start: PathPlace,
  protect: ProtectionLookup,
): string | null {
  let place = start;
  const places = [start];
  let found: string | null = null;
  for (const command of parse.commands) {
    const here = place;
    if (!READERS.has(programName(command.argv[0] ?? ''))) {
      found ??=
        candidates(command)
          .map((word) => hit(word, here, protect))
          .find((each) => each !== null) ?? null;
    }
    place = placeAfter(command, place);
    if (place !== here) places.push(place);
  }
  for (const target of parse.writesTo) {
    for (const each of places) found ??= hit(target, each, protect);
  }
  return found === null ? null : `It may change \`${found}\`, a protected file.`;
}
