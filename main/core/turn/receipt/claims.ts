import type { CheckKind, ClaimKind } from '../../../../shared/model/receipt';
import { objectFiles } from './named-files';

/** A statement found in an answer, still to be held against what happened. */
export interface FoundClaim {
  kind: ClaimKind;
  text: string;
  /** For `checks` and `ran`: what is said to have passed or run. */
  check?: CheckKind;
  /** For `ran`: the command as quoted. */
  command?: string;
  /** For `edited`: files named in the sentence. */
  files?: string[];
}

const SENTENCE_CHARS = 200;
const HEAD_CHARS = 8_000;
const TAIL_CHARS = 8_000;
/** What comes later in a sentence without end is not looked at. */
const READ_CHARS = 600;

/** What follows says what something is for, not what is. */
const PURPOSE = /,?\s(?:so that|in order to|damit|para que|afin (?:que|de))\s/i;

/** Prose only: quoted code, fenced blocks and quotations are no statements of the writer. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/^\s*(```|~~~)[\s\S]*?(^\s*\1|$(?![\s\S]))/gm, '\n')
    .replace(/^\s*>.*$/gm, '\n')
    .split(/\n+|(?<=[.!?。！？])\s+(?=[\p{Lu}\p{Lo}`*_"'✅✓])/u)
    .map((sentence) => sentence.replace(/^[\s#*\-–•\d.)✅✓☑]+/u, '').trim())
    .filter((sentence) => sentence !== '' && !sentence.endsWith('?'))
    .map((sentence) => sentence.slice(0, READ_CHARS).toWellFormed().split(PURPOSE)[0]?.trim() ?? '')
    .filter((sentence) => sentence !== '');
}

/** What makes a sentence a wish, a condition, a plan or a report of the past instead of a statement about this turn. */
const NOT_STATED =
  /\b(?:if|unless|whether|until|once|should|would|could|might|may|will|'ll|can|must|need(?:s|ed)? to|to make|ensure|make sure|want|plan(?:s|ned)?|next|todo|let me|please|try|earlier|previous(?:ly)?|before this|last time|already|expect(?:ed|s)?|wenn|falls|sollte[n]?|würde[n]?|wird|werden|si|debería[n]?|devrai(?:t|ent)|seront|être)\b/i;
const NEGATED =
  /\b(?:not|n't|never|no longer|none|cannot|unable|without (?:running|touching|chang\w+)|haven't|hasn't|didn't|don't|doesn't|wasn't|weren't|nicht|kein\w*|ohne|nie|ne\s.*\bpas|aucun\w*|sin|nunca|ningun\w*)\b/i;
const FAILS =
  /\b(?:fail\w*|broken|error(?:s|ed)? remain|schlägt|schlagen fehl|fehlgeschlagen|fallan|échou\w+)\b/i;
/** "no tests fail", "0 failures", "nothing fails" say the opposite of what the single words say. */
const NONE_FAIL =
  /\b(?:no|0|zero|without(?: any)?)\s+(?:\w+\s+){0,2}(?:fail\w*|errors?|warnings?|problems?|issues?)\b/i;

const stated = (sentence: string): boolean => {
  const rest = sentence.replaceAll(NONE_FAIL_ALL, ' ');
  return !NOT_STATED.test(rest) && !NEGATED.test(rest) && !FAILS.test(rest);
};
const NONE_FAIL_ALL = new RegExp(NONE_FAIL.source, 'gi');

const PASSES = String.raw`(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are|all|now|were|was|stays?|still|comes? (?:back|out))\s+(?:\w+\s+)?(?:green|ok|okay|clean|passing|successful)|ran? (?:cleanly|successfully|green)|exit(?:s|ed)? (?:with )?0|complete[sd]? successfully|without (?:any )?(?:errors?|failures?|problems?|issues?)|(?:no|0|zero) (?:errors?|failures?|warnings?|problems?|issues?)|laufen (?:alle )?(?:durch|grün)|bestanden|bestehen|sind (?:alle )?grün|erfolgreich|pasan|pasaron|passent|réussi\w*)`;

const CHECKS: readonly (readonly [CheckKind, RegExp])[] = [
  [
    'tests',
    new RegExp(
      String.raw`\b(?:tests?|test suite|specs?|suite|pruebas|Testsuite)\b(?!\s+files?\b).{0,80}?\b${PASSES}`,
      'i',
    ),
  ],
  [
    'tests',
    /\b(?:all|\d+)\s+(?:of\s+\d+\s+)?(?:unit |integration )?(?:tests?\s+)?(?:pass(?:ed|ing)?|green)\b/i,
  ],
  ['tests', /\bno (?:failing|failed|broken) tests?\b|\b(?:0|no|zero) test failures?\b/i],
  [
    'types',
    new RegExp(
      String.raw`\b(?:type[- ]?check(?:s|er|ing)?|types|tsc|mypy|pyright)\b.{0,60}?\b${PASSES}`,
      'i',
    ),
  ],
  ['types', /\b(?:no|0|zero) type errors?\b|\btype[- ]?checks (?:cleanly|fine|now)\b/i],
  [
    'lint',
    new RegExp(String.raw`\b(?:lint(?:er|ing)?|eslint|ruff|clippy)\b.{0,60}?\b(?:clean|${PASSES})`, 'i'),
  ],
  ['lint', /\b(?:no|0|zero) lint(?:er|ing)? (?:errors?|warnings?|problems?)\b/i],
  [
    'build',
    new RegExp(String.raw`\b(?:build|compilation|project|code|it)\b.{0,40}?\b(?:builds|compiles)\b`, 'i'),
  ],
  ['build', new RegExp(String.raw`\bbuild\b.{0,60}?\b${PASSES}`, 'i')],
];

const CHECK_WORDS: readonly (readonly [CheckKind, RegExp])[] = [
  ['tests', /\b(?:tests?|test suite|specs?|suite)\b/i],
  ['types', /\b(?:type[- ]?check(?:er|s)?|tsc)\b/i],
  ['lint', /\b(?:lint(?:er)?|eslint)\b/i],
  ['build', /\b(?:build|compiler)\b/i],
];

const RAN =
  /\b(?:I(?:'ve| have)?|we(?:'ve| have)?)\s+(?:also |then |just |re-?|finally )*(?:ran|run|executed|reran)\b|^(?:ran|executed|re-?ran)\b|\bich habe\b.*\b(?:ausgeführt|laufen lassen)\b/i;

const EDIT_VERBS = String.raw`fixed|edited|updated|changed|modified|created|added|removed|deleted|renamed|moved|refactored|rewrote|rewritten|implemented|replaced|corrected|extracted|wrote|patched|adjusted|converted|introduced|extended|migrated`;
const EDITED = new RegExp(
  String.raw`\b(?:I|we)(?:'ve| have)?\s+(?:also |then |just |now |successfully |finally )*(?:${EDIT_VERBS})\b|^(?:also |now )?(?:${EDIT_VERBS})\b|\b(?:has|have) been (?:\w+ )?(?:${EDIT_VERBS})\b|\b(?:was|were|is now|are now) (?:${EDIT_VERBS})\b|\bich habe\b.*\b(?:geändert|behoben|angepasst|erstellt|hinzugefügt|entfernt|umbenannt|korrigiert)\b|\bhe (?:cambiado|corregido|añadido|creado|eliminado)\b|\bj'ai (?:modifié|corrigé|ajouté|créé|supprimé)\b`,
  'i',
);

const VERIFIED =
  /\b(?:I|we)(?:'ve| have)?\s+(?:also |then |just )*(?:verified|tested|validated|confirmed)\b|^(?:verified|tested|validated)\b|\bich habe\b.*\b(?:getestet|überprüft)\b/i;

const CODE = /`([^`\n]+)`/g;
const quoted = (sentence: string): string[] => [...sentence.matchAll(CODE)].map((match) => match[1] ?? '');

function claimsOf(sentence: string): FoundClaim[] {
  if (!stated(sentence)) return [];
  const text =
    sentence.length <= SENTENCE_CHARS ? sentence : `${sentence.slice(0, SENTENCE_CHARS - 1).toWellFormed()}…`;
  const claims: FoundClaim[] = [];
  const plain = sentence.replaceAll(CODE, (_whole, code: string) => ` ${code} `);
  const passed = new Set(CHECKS.filter(([, words]) => words.test(plain)).map(([check]) => check));
  for (const check of passed) claims.push({ kind: 'checks', text, check });
  if (RAN.test(sentence)) claims.push(...ranClaims(sentence, text, passed));
  const edited = EDITED.exec(sentence);
  if (edited) {
    const verb = { from: edited.index, to: edited.index + edited[0].length };
    claims.push({ kind: 'edited', text, files: objectFiles(sentence, verb) });
  } else if (claims.length === 0 && VERIFIED.test(sentence)) claims.push({ kind: 'verified', text });
  return claims;
}

/** A command in code, else the kind of check that is said to have run; one that is said to have passed is claimed already. */
function ranClaims(sentence: string, text: string, passed: ReadonlySet<CheckKind>): FoundClaim[] {
  const command = quoted(sentence).find((code) =>
    /\s|^(?:make|pytest|jest|vitest|tsc|eslint|mypy)$/.test(code.trim()),
  );
  if (command !== undefined) return [{ kind: 'ran', text, command: command.trim().replace(/^\$\s*/, '') }];
  const check = CHECK_WORDS.find(([, words]) => words.test(sentence))?.[0];
  return check === undefined || passed.has(check) ? [] : [{ kind: 'ran', text, check }];
}

/** Statements of an answer about what was done in this turn. Wishes, plans, negations and questions are none. */
export function findClaims(answer: string): FoundClaim[] {
  return sentencesOf(bounded(answer)).flatMap(claimsOf);
}

/** The parts of a very long answer in which it says what was done. */
function bounded(answer: string): string {
  if (answer.length <= HEAD_CHARS + TAIL_CHARS) return answer;
  return `${answer.slice(0, HEAD_CHARS)}\n${answer.slice(-TAIL_CHARS)}`.toWellFormed();
}
