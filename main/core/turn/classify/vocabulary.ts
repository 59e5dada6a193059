/**
 * Words by which requests are told apart. English first; of other languages the verbs and question words that users of
 * coding tools write most. `\b` knows ASCII letters only, so words of other scripts stand without it.
 */
const words = (...list: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${list.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
/** For languages without spaces, and for stems. */
const parts = (...list: string[]): RegExp => new RegExp(list.join('|'), 'iu');

/** Verbs whose object is the code: something is different afterwards. */
export const CHANGE_VERB = words(
  String.raw`(?:re)?(?:add|fix|change|rename|remove|delete|update|create|implement|refactor|replace|convert|migrate|rewrite|write|extract|move|split|merge|modify|edit|correct|improve|optimi[sz]e|simplify|clean\s?up|insert|append|introduce|support|handle|set|bump|upgrade|downgrade|increase|decrease|reduce|raise|lower|enable|disable|wrap|inline|port|sort|format|generate|scaffold|document|comment|annotate|translate|turn|make|use|revert|undo|restore|adjust|align|hide|extend|expose|persist|patch|repair|solve|resolve|silence|deprecate|drop|integrate|configure|build me|design|get rid of|let (?:the |our |a |all )?(?:users?|people|me|us|admins?|customers?|them)|allow|ensure|prevent|avoid|stop|put|give|throw out|bring|swap|switch (?!to it|to the (?:new )?branch|branch)|strip|trim|pin|bundle|mock|stub|cover|speed up|shorten|expand|split up|turn (?:on|off)|rework|restructure|reorgani[sz]e|tidy(?: up)?|move|copy|duplicate|hook up|wire(?: up)?|connect|catch|log|validate|escape|sanitize|cache|memoi[sz]e|debounce|paginate|style)`,
  String.raw`teh|fixe[sd]?|renam\w*`,
  // German
  String.raw`behebe|behebt|korrigiere?|ändere?|ander[en]?|benenne?|umbenennen|füge|ergänze?|entferne?|lösche?|erstelle?|schreibe?|implementiere?|ersetze?|aktualisiere?|verschiebe?|baue?|mach(?:e|st)?|setze?|übersetze?|refaktoriere?|repariere?|erweitere?|hinzufügen|beheben|ändern|entfernen|erstellen|schreiben|anlegen`,
  // French, Spanish, Portuguese, Italian, Dutch
  String.raw`corrige[zr]?|ajoute[zr]?|supprime[zr]?|modifie[zr]?|crée[zr]?|remplace[zr]?|renomme[zr]?|écri[st]|écrire|déplace[zr]?|mets?|change[zr]?`,
  String.raw`arregla[r]?|corregir|añade|añadir|agrega[r]?|elimina[r]?|borra[r]?|cambia[r]?|crea[r]?|modifica[r]?|reemplaza[r]?|renombra[r]?|escribe|escribir|implementa[r]?|actualiza[r]?`,
  String.raw`corrija|corrigir|adicione|adicionar|remova|remover|altere|alterar|crie|criar|mude|renomeie|substitua|escreva|atualize|implemente`,
  String.raw`correggi|aggiungi|rimuovi|modifica|crea|sostituisci|rinomina|scrivi|aggiorna|sistema`,
  String.raw`voeg|verwijder|wijzig|verander|maak|hernoem|vervang|schrijf|repareer`,
  // Polish, Turkish
  String.raw`napraw|dodaj|usuń|zmień|utwórz|popraw|düzelt|ekle|sil|değiştir|oluştur`,
);
export const CHANGE_STEM = parts(
  'исправ',
  'добав',
  'удали',
  'измени',
  'переимен',
  'созда[йт]',
  'замени',
  'перепиш',
  'напиши',
  'обнови',
  '修复',
  '修改',
  '添加',
  '增加',
  '删除',
  '重构',
  '改成',
  '改为',
  '替换',
  '实现',
  '创建',
  '重命名',
  '更新',
  '优化',
  '写一个',
  '翻译',
  '修正',
  '追加',
  '翻訳',
  '削除',
  '変更',
  '実装',
  '作成',
  '直して',
  'リファクタ',
  '置き換え',
  '고쳐',
  '수정',
  '추가',
  '삭제',
  '변경',
  '구현',
  '만들어',
);

/** Asks for a look at the code by an order: the answer is a report. */
export const LOOK_VERB = words(
  String.raw`review|take a (?:quick |closer )?look|have a look|find|search for|list|locate|audit|compare|trace|check|look (?:at|into|through)|inspect|analy[sz]e|investigate|examine|show(?: me)?|summari[sz]e|identify|count|measure|profile|scan|verify|plan|propose|suggest|estimate`,
  String.raw`prüfe?|suche?|finde?|liste|zeige?|vergleiche?|analysiere?|untersuche?|cherche|trouve|montre|vérifie|compare|analyse|busca|encuentra|muestra|revisa|compara|analiza|procure|encontre|mostre|verifique|trova|cerca|mostra|controlla|zoek|vind|toon`,
);
export const LOOK_STEM = parts(
  'найди',
  'покажи',
  'проверь',
  '查找',
  '检查',
  '列出',
  '探して',
  '調べて',
  '찾아',
  '확인',
);

/** Asks to be told how something is: "explain". */
export const EXPLAIN_VERB = words(
  String.raw`explain|describe|walk me through|tell me|give me an? (?:overview|summary|idea|tour)|help me understand|what's|whats`,
  String.raw`erkläre?|beschreibe?|explique[zr]?(?:-moi)?|décris|explica[r]?|describe|explícame|explique|descreva|spiega(?:mi)?|descrivi|leg uit|wyjaśnij|açıkla`,
);
export const EXPLAIN_STEM = parts('объясни', 'расскажи', '解释', '说明', '説明', '教えて', '설명');

/** Words that begin a question; a question mark does too. */
export const QUESTION_START = new RegExp(
  String.raw`^(?:(?:and|but|so|ok(?:ay)?|hm+|hey|hi|und|et|y|e)[,\s]+)*(?:(?:just )?a question[^:]*:\s*)?(?:how|what|whats|where|why|who|which|when|whose|is|are|does|do(?! (?:the|it|this|that|these|so|a|an|some)(?![\p{L}]))|did|was|were|has|have|should|am|isn't|aren't|doesn't|wie|was|wo|warum|wieso|weshalb|wer|welche[rsn]?|wann|ist|sind|gibt|comment(?! (?:out|the|on|that|this))|où|pourquoi|qu(?:i|oi|el|elle)s?|que|est-ce|¿|cómo|dónde|por qué|qué|cuál|quién|cuándo|como|onde|porque|quem|qual|come|dove|perché|chi|quale|hoe|waar|waarom|welke|jak|gdzie|dlaczego|nasıl|nerede|neden|как|где|почему|что|кто|какой|зачем)(?![\p{L}\p{N}_])`,
  'iu',
);
export const QUESTION_STEM = parts(
  '什么',
  '哪里',
  '哪个',
  '为什么',
  '怎么',
  '吗[?？]?$',
  '何',
  'どこ',
  'なぜ',
  'どう',
  'ですか',
  '무엇',
  '어디',
  '왜',
  '어떻게',
);

/** A request in the clothes of a question ("can you add …?"). */
export const POLITE = new RegExp(
  String.raw`^(?:(?:and|but|so|hey|hi|hello|ok(?:ay)?|please|pls|plz)[,\s]+)*(?:can|could|would|will) (?:you|we|u)(?: please| pls| kindly| maybe| also| just)*\s+|^(?:please|pls|plz|kindly|bitte|por favor|per favore|s'il (?:te|vous) plaît)[,\s]+|^(?:kannst|könntest) du(?: bitte)?\s+|^(?:peux-tu|pouvez-vous|puedes|podrías|você pode|puoi)\s+|^(?:i|we) (?:want|need|would like|'d like) (?:you )?to\s+|^let'?s\s+`,
  'iu',
);

/** A wish or a complaint about how the product behaves: the code is what has to change. */
export const WISH = new RegExp(
  String.raw`\b(?:i|we) (?:want|need|would like|'d like)\b(?! to (?:know|understand|see|learn))|\b(?:would be (?:nice|great|good|cool)|it'd be (?:nice|great|good)) (?:if|to)\b|\b(?:can|could) we (?:get|have|make|also|please)\b|\bnothing happens\b|\bshows? (?:nan|undefined|null|nothing|the wrong|wrong|an? (?:empty|blank)|twice)\b|\b(?:is|are|looks?|seems?) (?:still |way |much |far |a bit )?(?:too |red\b|failing|ugly|outdated|missing|wrong|off|slow|unreadable)|\bno longer (?:works?|shows?|loads?|updates?)\b|\bneeds? (?:an? |to be |more |better )|\bshould(?: not|n't)? (?:be|have|show|return|use|not|remember|work|do|transliterate|support|handle|accept|only|always|never|\w+ (?:it|them|the))\b|\b(?:there is|there's) an? (?:typo|bug|mistake|error)\b|\b(?:is|are) (?:broken|wrong|off|missing)\b|\b(?:does(?:n't| not) work|doesn't do|does nothing|do nothing|breaks|crash(?:es|ed)|fails?)\b`,
  'iu',
);

/** Running something is asked for. */
export const SHELL = words(
  String.raw`run|re-?run|execute|start|launch|compile|install|uninstall|deploy|commit|push|pull|rebase|benchmark|upgrade (?:eslint|to|all|the dep\w*|depend\w*|\w+ to)`,
  String.raw`kill(?: the)? process|(?:last|recent) (?:\w+ )?commits?|(?:an? |the )?(?:pr|pull request)|npm|npx|yarn|pnpm|pip3?|cargo|go test|pytest|jest|vitest|mvn|gradle|docker|docker-compose|kubectl|git|terraform|prettier`,
  String.raw`build the (?:docker )?(?:image|project|app)|lint|linter|test coverage|(?:git )?(?:branch|tag) called|switch to it|since the last (?:tag|release)|last commit`,
  String.raw`führe .{1,40} aus|starte|installiere?|lance[zr]?|exécute[zr]?|ejecuta[r]?|instala[r]?|execute|rode|esegui|lancia|voer .{1,30} uit|uruchom|çalıştır`,
);
export const SHELL_STEM = parts('запусти', '运行', '执行', '安装', '実行', '실행');
/** The whole request is a command line. */
export const COMMAND_LINE =
  /^\$?\s*(?:make(?: [\w:-]+)?$|(?:npm|npx|yarn|pnpm|bun|node|python3?|pip3?|cargo|go (?:test|build|run|vet|mod|get|fmt|install)|pytest|jest|vitest|mvn|gradle|docker|kubectl|git|ls|cat|cd|grep|curl|terraform|deno|dotnet|ruby|rake)\b[\w\s./:=@"'&|-]*$)/;

export const GREETING = new RegExp(
  String.raw`^(?:hi|hello|hey|yo|hiya|good (?:morning|evening|afternoon|day|night)|how are you|how's it going|what's up|sup|hallo|moin|servus|guten (?:morgen|tag|abend)|hola|buenas|bonjour|salut|olá|oi|ciao|привет|你好|こんにちは|안녕)(?![\p{L}\p{N}_])[\s\p{P}]*(?:there|everyone|lathe|how are you|¿?qué tal|wie geht'?s|ça va)?[\s\p{P}\p{S}]*$`,
  'iu',
);
export const PRAISE = new RegExp(
  String.raw`^(?:(?:ok(?:ay)?|oh|ah|yes|great|super)[,!.\s]+)*(?:thanks?(?: you)?(?: so much| a lot)?|thx|ty|cheers|cool|nice|great|perfect|awesome|excellent|wonderful|good (?:job|work|stuff)|(?:great|nice|excellent|fantastic|amazing) (?:job|work|stuff)|well done|ok(?:ay)?|k|got it|makes sense|i see|lgtm|danke(?: schön)?|super|toll|prima|gracias|merci|obrigad[oa]|grazie|bedankt|спасибо|谢谢|ありがとう|고마워)(?:[,!.\s]+(?:thanks?(?: you)?|cool|great|that works|it works(?: now)?|looks? good|sieht gut aus|for (?:that|the help|your help)|very much|a lot|so much|great work|nice work))*[\s\p{P}\p{S}]*$`,
  'iu',
);
export const ABOUT_AGENT = new RegExp(
  String.raw`\b(?:what can you do|are you (?:still )?(?:there|alive|ready|ok)|can you hear|who are you|what are you|are you (?:an? )?(?:ai|bot|human|gpt|claude|llm)|which (?:model|llm|version) (?:are you|do you use|is this)|what model|your name|how do you work|can you (?:speak|understand) \w+|tell me a joke|how many tokens|what did you (?:just )?(?:do|change|say|edit|mean)|what have you (?:done|changed)|summari[sz]e (?:our|this|the) (?:conversation|chat|session|discussion)|what(?:'s| is) (?:your|the) context|was kannst du|wer bist du|qui es-tu|quién eres)\b`,
  'iu',
);

/** Knowledge from outside the project. */
export const RESEARCH = new RegExp(
  String.raw`\b(?:search the (?:web|internet|net)|google|look up|(?:official )?docs? (?:of|for)|latest version of|what(?:'s| is|s) new in|best (?:library|framework|tool|way to learn|practi[cs]es?)|which (?:library|framework|package|tool|language|database)|known vulnerabilit\w*|cve-\d|stack ?overflow|release notes|should i use \w+ or|compare \w+ (?:and|vs\.?|with) \w+ for|alternatives? to|release date|suche? im (?:web|internet)|cherche sur)\b`,
  'iu',
);
/** A term asked for as such: no article or name of this project's code comes with it. */
export const GENERAL_QUESTION = new RegExp(
  String.raw`^(?:what (?:is|are|'s) (?:an? |the difference between (?:an? )?)?|what do(?:es)? [\w .+#-]{1,40} (?:mean|do)\b|difference between|define |was ist (?:ein|eine|der unterschied)\b|qu'est-ce qu)`,
  'iu',
);
/** Points at something here: the answer lies in the project. */
export const POINTS_HERE = new RegExp(
  String.raw`\b(?:this|these|our|my|we|here|the (?:code|project|repo(?:sitory)?|app|function|class|file|module|build|server|client|test|tests|api|database|parser|router|cache|caching|config\w*|importer|login|auth\w*|page|component|\w+ (?:layer|logic|module|service|function|class|file|system|code|sequence|flow))|diese[smrn]?|unser\w*|ce|cette|notre|este|esta|nuestro|questo|deze|dit)\b|[\w/]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|sql)\b|\x60[^\x60]+\x60|в этом|этой|这个|项目|この|이 `,
  'iu',
);

/** Nothing is to be changed, says the user. */
export const NO_CHANGE = new RegExp(
  String.raw`\b(?:(?:do not|don't|dont|without|no need to|never|not) (?:actually |yet )?(?:change|changing|edit|editing|modify|modifying|touch|touching|write|fix|implement|apply)\w*|no (?:changes?|edits?|code changes?)|(?:just|only) (?:tell|explain|describe|a question|answer|look|list|show)|read[- ]only|ohne (?:etwas |was )?zu ändern|nichts ändern|nur erklären|sans (?:rien )?modifier|sin (?:cambiar|modificar))\b`,
  'iu',
);
/** "How would you …": a plan is asked for, no deed. */
export const HYPOTHETICAL = new RegExp(
  String.raw`\b(?:how (?:would|could|should|can|do) (?:i|you|we|one)|what would (?:i|you|we|it)|would it be|could we|is it possible|what if|make a plan|plan (?:for|to|how)|wie (?:würdest|würde|könnte|kann)|comment (?:ferais|faire|puis-je)|cómo (?:harías|puedo|podría))\b`,
  'iu',
);

export const AGREEMENT =
  /^(?:(?:yes|yep|yeah|yup|sure|ok(?:ay)?|go|go ahead|do it|do that|do so|please do|proceed|please continue|continue|(?:continue|go on|carry on) (?:where you (?:stopped|left off)|with (?:it|that|this|the rest))|go on|carry on|make it so|sounds good|ja|jawohl|mach(?:e)?(?: das| es)?(?: bitte)?|weiter|oui|vas-y|continue[zr]?|sí|si|dale|adelante|sim|pode|vai|procedi|sì|doe maar|да|давай|продолжай|好的?|可以|继续|はい|お願いします|네|응)(?:[\s,.!]+(?:please|bitte|then|now|and|por favor|s'il te plaît|mach|das))*[\s,.!]*)+$/iu;
/** Goes on from what was said or done before. */
export const REFERS_BACK = new RegExp(
  String.raw`^(?:and|also|now|but|no|nope|actually|hm+[,\s]|instead|then|again|same|und|auch|jetzt|nein|et|aussi|maintenant|y|también|ahora|e |anche|ora)\b|\b(?:again|do the same|same (?:for|thing|here)|the other (?:one|file|function|files|side)|that didn't|that does(?:n't| not)|that one|this too|as well|try again|revert (?:that|it)|undo (?:that|it|the last)|still (?:fails?|failing|broken|not|the same|wrong|crashes|red|there)|(?:it|that|them|those) (?:again|too|back|instead|shorter|better)|i meant|not what i|instead of (?:that|this)|last change|(?:these|those|your|all the) changes|what about|how about|where you (?:stopped|left off)|you (?:just|forgot|missed|changed|wrote|said)|your (?:last|change|edit|answer))\b|^(?:why|how so|and\??|really|warum|pourquoi)\s*\??$|^(?:make|put|move|fix|test|rename|run|commit|add|use|explain|check|push) (?:it|that|them|those|this)\b|\b(?:for|to|with|of|in) it\s*[?.!]?$|\bcommit it\b|^looks? good`,
  'iu',
);
