import type * as Monaco from 'monaco-editor';
import { monaco } from '../monaco/setup';
import type { OriginRun } from './origin-lines';
import { formatMoment, originSign, originWords, plainMarkdown } from './origin-words';

type Code = Monaco.editor.IStandaloneCodeEditor;
type Decoration = Monaco.editor.IModelDeltaDecoration;

/** One rule for each text that is shown: the margin takes classes only. */
const sheet = new CSSStyleSheet();
const named = new Map<string, string>();

function textClass(text: string): string {
  const known = named.get(text);
  if (known !== undefined) return known;
  if (named.size === 0) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const name = `og-text-${named.size}`;
  sheet.insertRule(`.${name}::before { content: ${JSON.stringify(text)}; }`);
  named.set(text, name);
  return name;
}

function decorationsOf(run: OriginRun): Decoration[] {
  const { text, kind } = originSign(run.set);
  const { title, by } = originWords(run.set, formatMoment);
  const hover = { value: `**${plainMarkdown(title)}**\n\n${plainMarkdown(by)}`, isTrusted: false };
  const decoration = (from: number, to: number, className: string): Decoration => ({
    range: { startLineNumber: from, startColumn: 1, endLineNumber: to, endColumn: 1 },
    options: {
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
      glyphMarginClassName: className,
      glyphMarginHoverMessage: hover,
    },
  });
  const last = run.startLine + run.lines - 1;
  const first = decoration(run.startLine, run.startLine, `og og-${kind} ${textClass(text)}`);
  return run.lines === 1 ? [first] : [first, decoration(run.startLine + 1, last, `og og-${kind}`)];
}

export interface OriginMarks {
  show(runs: readonly OriginRun[]): void;
  /** The run whose mark stands beside a line now. */
  at(line: number): OriginRun | null;
  clear(): void;
}

/** Marks in the margin, one per line, that move along when lines are edited. */
export function createOriginMarks(code: Code): OriginMarks {
  const marks = code.createDecorationsCollection();
  let runs: OriginRun[] = [];
  return {
    show: (next) => {
      const drawn = next.flatMap((run) => decorationsOf(run).map((decoration) => ({ run, decoration })));
      runs = drawn.map(({ run }) => run);
      marks.set(drawn.map(({ decoration }) => decoration));
    },
    at: (line) => {
      const index = marks
        .getRanges()
        .findIndex((range) => range.startLineNumber <= line && line <= range.endLineNumber);
      return runs[index] ?? null;
    },
    clear: () => {
      runs = [];
      marks.clear();
    },
  };
}
