import { useEffect, useState } from 'react';
import { IconButton } from '../../ui/icon-button';

/** How long a copy button shows that it worked. */
const SHOWN_MS = 1500;

/** Copies `text` and says so by its icon and its name for a moment; says when the clipboard refused. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (result === null) return undefined;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = (): void => {
    const value = typeof text === 'string' ? text : text();
    copyText(value).then(
      () => setResult('copied'),
      () => setResult('refused'),
    );
  };
  const names = { copied: 'Copied', refused: 'The clipboard refused the text' };
  const icons = { copied: 'check', refused: 'error' };
  return (
    <IconButton
      small
      icon={result ? icons[result] : 'copy'}
      label={result ? names[result] : label}
      onClick={copy}
    />
  );
}

/** The clipboard API needs a secure context; 127.0.0.1 is one, another host name over plain HTTP is not. */
async function copyText(value: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('No clipboard in this context');
  await navigator.clipboard.writeText(value);
}
