import type { MenuPlace } from './entry-menu';
import type { Explorer } from './explorer-store';

export interface FileTreeProps {
  explorer: Explorer;
  activePath: string | null;
  onOpen: (path: string, options: { preview: boolean }) => void;
  onMenu: (place: MenuPlace) => void;
  onDelete: (path: string) => void;
}
