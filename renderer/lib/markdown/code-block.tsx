import { memo, useEffect, useRef, useState } from 'react';
import { CopyButton } from '../text/copy-button';
import { VisibleText } from '../text/visible-text';
import { colouredCode, knownColours } from './code-colours';
import { languageFor } from './languages';
import { StreamTip } from './stream-tip';
import type { CodeSpan } from './tokenize-code';

/** Lines per piece of a code block: adding a line to long code redraws one piece. */
const PIECE_LINES = 40;

export interface CodeBlockProps {
  code: string;
  /** The fence's info word; '' without one. */
  language: string;
  /** True while the fence is still being written. */
  open: boolean;
}

/** Code in a frame with its language and a copy button; colours come when it is finished and in view. */
export function CodeBlock({ code, language, open }: CodeBlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const lines = useColours(box, code, language, open);
  return (
    <div ref={box} className="md-code-block" aria-busy={open || undefined}>
      <div className="md-code-head">
        <span className="ui-clip">{language === '' ? 'text' : language}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <pre className="md-pre" tabIndex={0} aria-label={language === '' ? 'Code' : `Code, ${language}`}>
        {lines ? <ColouredLines lines={lines} /> : <PlainCode code={code} open={open} />}
      </pre>
    </div>
  );
}

function useColours(
  box: { current: HTMLElement | null },
  code: string,
  language: string,
  open: boolean,
): CodeSpan[][] | null {
  const wanted = !open && (language === 'diff' || languageFor(language) !== null);
  const [drawn, setDrawn] = useState<{ code: string; lines: CodeSpan[][] } | null>(null);
  const known = wanted ? knownColours(code, language) : null;
  useEffect(() => {
    const element = box.current;
    if (!wanted || known || !element) return undefined;
    return colouredCode(element, code, language, (lines) => setDrawn({ code, lines }));
  }, [box, code, language, wanted, known]);
  if (known) return known;
  return wanted && drawn?.code === code ? drawn.lines : null;
}

function PlainCode({ code, open }: { code: string; open: boolean }) {
  const lines = code.split('\n');
  const pieces: string[] = [];
  for (let i = 0; i < lines.length; i += PIECE_LINES) pieces.push(lines.slice(i, i + PIECE_LINES).join('\n'));
  return (
    <>
      {pieces.map((piece, i) => (
        <PlainPiece key={i} text={piece} tip={open && i === pieces.length - 1} />
      ))}
    </>
  );
}

const PlainPiece = memo(function PlainPiece({ text, tip }: { text: string; tip: boolean }) {
  return (
    <div className="md-piece">
      <VisibleText text={text} />
      {tip && (
        <>
          <StreamTip />
          {'\n\u00a0'}
        </>
      )}
    </div>
  );
});

const ColouredLines = memo(function ColouredLines({ lines }: { lines: CodeSpan[][] }) {
  return (
    <>
      {lines.map((spans, i) => (
        <div key={i} className="md-line">
          {spans.length === 0 ? '\n' : spans.map((span, k) => <ColouredSpan key={k} span={span} />)}
        </div>
      ))}
    </>
  );
});

export function ColouredSpan({ span }: { span: CodeSpan }) {
  if (span.kind === 'plain') return <VisibleText text={span.text} />;
  return (
    <span className={`md-s-${span.kind}`}>
      <VisibleText text={span.text} />
    </span>
  );
}
