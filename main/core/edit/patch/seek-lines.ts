import { foldText, type Fold } from '../match/fold';
import { Indents } from '../match/indents';
import type { SourceLine, SourceText } from '../match/source-text';
import { splitLine } from '../match/split-line';

/** Lines found whole: their place, and how loosely. */
export interface SoughtLines {
  /** 0-based first lines. */
  places: number[];
  fold: Fold;
  /** Asked indentation → the file's, of the first place. */
  indents: ReadonlyMap<string, string>;
}

interface Pass {
  fold: Fold;
  indent: 'same' | 'flexible';
  trailing: boolean;
}

/** From the letter to the look: exact, white space at line ends, white space at both ends, Unicode look-alikes. */
const PASSES: readonly Pass[] = [
  { fold: 'plain', indent: 'same', trailing: true },
  { fold: 'plain', indent: 'same', trailing: false },
  { fold: 'spaces', indent: 'flexible', trailing: false },
  { fold: 'unicode', indent: 'flexible', trailing: false },
];

/** All places in [from, to) where the lines stand whole, of the first pass that finds any. */
export function seekLines(
  source: SourceText,
  wanted: readonly string[],
  from: number,
  to: number,
): SoughtLines | null {
  for (const pass of PASSES) {
    if (pass.fold !== 'plain' && !source.allowsLoose) break;
    const found = seekWith(source, wanted, from, to, pass);
    if (found.places.length > 0) return found;
  }
  return null;
}

function seekWith(
  source: SourceText,
  wanted: readonly string[],
  from: number,
  to: number,
  pass: Pass,
): SoughtLines {
  const bodies = source.bodies(pass.fold);
  const asked = wanted.map((raw) => {
    const parts = splitLine(raw);
    return { ...parts, key: foldText(parts.body, pass.fold) };
  });
  const places: number[] = [];
  let indents: ReadonlyMap<string, string> = new Map();
  for (let at = from; at + asked.length <= to; at += 1) {
    const known = new Indents(pass.indent, pass.fold);
    const fits = asked.every((line, step) => {
      const file = source.lines[at + step] as SourceLine;
      if (bodies[at + step] !== line.key) return false;
      if (pass.trailing && file.trail !== line.trail) return false;
      return line.key === '' ? !pass.trailing || file.indent === line.indent : known.add(line, file);
    });
    if (!fits) continue;
    if (places.length === 0) indents = known.known;
    places.push(at);
  }
  return { places, fold: pass.fold, indents };
}
