import { version } from '../../package.json';
import { helpText } from './help';

/** What needs no command: version and help. They come before anything else is loaded; null for all other lines. */
export function quickAnswer(argv: readonly string[]): string | null {
  const [first, second] = argv;
  if (first === '--version' || first === '-v') return `${version}\n`;
  if (first === '--help' || first === '-h' || first === 'help') return helpText(second ?? null);
  return null;
}
