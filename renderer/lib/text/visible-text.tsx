import { hasHidden, LONG_RUN, splitHidden, type TextPiece } from './hidden-characters';
import './visible-text.css';

/** Text in which nothing can hide: boxed codes for invisible characters, counts for long runs of blanks. */
export function VisibleText({ text }: { text: string }) {
  if (!hasHidden(text) && text.length < LONG_RUN) return <>{text}</>;
  return (
    <>
      {splitHidden(text).map((piece, i) => (
        <Piece key={i} piece={piece} />
      ))}
    </>
  );
}

function Piece({ piece }: { piece: TextPiece }) {
  switch (piece.kind) {
    case 'text':
      return <>{piece.text}</>;
    case 'hidden':
      return (
        <span className="vt-hidden" title={`Hidden character ${piece.code}`}>
          {piece.code}
        </span>
      );
    case 'spaces':
      return (
        <span className="vt-spaces" title={`${piece.count} blanks in a row`}>
          <span className="vt-space-sign">␠</span>
          {`×${piece.count}`}
        </span>
      );
  }
}
