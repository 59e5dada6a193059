import type { Complexity, EditScope } from '../../../../shared/model/classification';
import type { RequestText } from './request-text';

const BULK =
  /\b(?:(?:whole|entire) (?:code ?base|project|repo(?:sitory)?|app)|all (?:the )?(?:[\w-]+ )?(?:files|components|classes|functions|endpoints|modules|tests|pages|forms|exported \w+|usages|services|controllers)|every (?:single )?(?:[\w-]+ )?(?:file|component|class|function|endpoint|module|usage|page|source file|call)|(?:across|throughout|in) the (?:whole |entire )?(?:code ?base|project|repo(?:sitory)?)|code ?base|everything|repo-wide|project-wide|mass|bulk|rewrite (?:this|it|the (?:app|project|backend|frontend)) in|(?:migrate|upgrade|port) (?:everything|to (?:react|vue|angular|next|django|rails|spring|svelte)|from \w+ to|the (?:whole|entire))|fix what breaks|format the (?:code|project)|im ganzen projekt|alle (?:dateien|komponenten)|tous les fichiers|todos los archivos)\b/iu;
const MULTI =
  /\b(?:everywhere|(?:into|to) (?:separate|smaller|several|multiple|a shared|its own|their own) \w+|all (?:callers|references|imports|call sites)|update the imports|(?:and|plus) (?:show|use|display|expose|call|wire|register) (?:it|them)?|end[- ]to[- ]end|refactor the \w+ (?:module|service|layer|package)|plugin system|feature flag|and all code|rename the (?:folder|directory|module|package)|shared helper|both \w+|fix the config|persisted|with retries|plus tests|tests and docs|überall|partout)\b|`\w+`(?: to | in )`?\w+`? (?:everywhere|in all)/iu;
const LINE =
  /\b(?:typo|spelling|misspell\w*|tippfehler|faute de frappe|error de tipeo|erro de digitação|refuso|line \d+|zeile \d+|ligne \d+|console\.log|default (?:port|value)|version to|bump|timeout|constant|colou?r|farbe|couleur|sticky|comment out|primary colou?r|max(?:imum)? \w+ size|(?:button|header|title|label|background|font) (?:blue|red|green|black|white|bold|bigger|smaller|larger|sticky|auf rot|should be|to )|date format)\b|改成红|颜色/iu;
const LINE_VERB =
  /\b(?:set|increase|decrease|raise|lower|reduce|change|bump) (?:the |max |default |our )?[\w\s/.`-]{0,60}\b(?:to|from|auf|en|a)\b\s+\S+/iu;
const SMALL_FILE =
  /(?:\b(?:unused imports?|sort the imports|rename the (?:variable|function|method|param\w*)|changelog|revert|undo|deprecated option|shorter|imports inutilisés|tabs|spaces|benenne|umbenennen)\b|\.\w+ignore\b)/iu;

/** One command does it, however many files it touches. */
const MECHANICAL =
  /^(?:please )?(?:re)?format (?:the |all |our )?(?:code|files|project|repo\w*|everything)\b/iu;
const HARD =
  /\b(?:race condition|dead ?lock|memory leak|the leak|memory of|leak|concurren\w+|thread[- ]safe\w*|distributed|scal(?:e|ability|ing)|architect\w*|redesign|design and|from scratch|rewrite|overhaul|monolith|microservices?|performance problem|security|vulnerabilit\w*|sql injection|xss|plugin system|state machine|compiler|crdt|consensus|undo\/redo|multi-tenant|end-to-end encryption|zero[- ]downtime|backoff|dead letter|split(?:ting)? the monolith|consistent across)\b/iu;
const EASY_QUESTION = /^(?:[^.!\n]{0,90})$/u;

export function editScopeOf({ prose, files, listItems, hasTrace, wordCount }: RequestText): EditScope {
  if (BULK.test(prose)) return 'bulk';
  if (MULTI.test(prose) || listItems >= 3 || files.length >= 3 || (files.length === 2 && !hasTrace))
    return 'multi_file';
  const ofOneLine = LINE.test(prose) || LINE_VERB.test(prose);
  return ofOneLine && wordCount <= 25 ? 'single_line' : 'single_file';
}

/** Of a change. */
export function changeComplexity(request: RequestText, scope: EditScope): Complexity {
  const { prose, wordCount, listItems } = request;
  if (MECHANICAL.test(prose)) return 'simple';
  if (scope === 'bulk' || HARD.test(prose) || listItems >= 4 || wordCount > 150) return 'complex';
  if (scope === 'single_line') return 'simple';
  return scope === 'single_file' && SMALL_FILE.test(prose) && wordCount <= 20 ? 'simple' : 'medium';
}

const DEEP =
  /^(?:how (?:does|do|is|are)|why|explain|erkläre?|warum|wie funktioniert|comment (?:marche|fonctionne)|pourquoi|cómo funciona|por qué|come funziona|perché|как работает|почему|walk me|what happens|what would|how would)|\b(?:overview|architecture|circular|compare|trace|review|summari[sz]e|dead code|plan|how you would|could we|and tell me|dime qué|what this error|project|projekt)\b|说明|説明|解释/iu;

/** Of a question or a look at the code. */
export function lookComplexity({ prose, wordCount, hasTrace }: RequestText): Complexity {
  if (HARD.test(prose) || wordCount > 150) return 'complex';
  return DEEP.test(prose) || hasTrace || !EASY_QUESTION.test(prose) ? 'medium' : 'simple';
}

const SEVERAL =
  /\b(?:and (?:then )?(?:run|test|fix|update|show|use|cover|commit|save|tell|verify|check|make sure|switch)|then|after that|plus tests|find the (?:cause|leak|bug|reason)|make (?:it|the tests?) (?:green|pass)|fix what breaks|until|is flaky|fails? (?:on|in) ci|still (?:fails?|broken|crashes)|(?:didn't|does(?:n't| not)) work|make the tests? pass|users report)\b/iu;

/** More than a few steps in a row: several places, several deeds, or a cause that is not known yet. */
export function expectsSteps(request: RequestText, scope: EditScope, complexity: Complexity): boolean {
  if (scope === 'multi_file' || (scope === 'bulk' && complexity !== 'simple')) return true;
  if (complexity === 'complex') return true;
  return scope !== 'single_line' && (SEVERAL.test(request.prose) || request.hasTrace);
}
