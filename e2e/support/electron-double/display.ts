import { guarded } from './guarded';
import { requireReady } from './lifecycle';

const DISPLAY = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } } as const;

/** One display of 1920 × 1080: https://www.electronjs.org/docs/latest/api/screen */
export const screen = guarded('screen', {
  getPrimaryDisplay() {
    requireReady('screen');
    return DISPLAY;
  },
  getAllDisplays() {
    requireReady('screen');
    return [DISPLAY];
  },
});

let source = 'system';

/** https://www.electronjs.org/docs/latest/api/native-theme – kept, without an effect on a headless page. */
export const nativeTheme = guarded('nativeTheme', {
  get themeSource(): string {
    return source;
  },
  set themeSource(value: string) {
    if (!['system', 'light', 'dark'].includes(value)) throw new Error(`Invalid themeSource value: ${value}`);
    source = value;
  },
});
