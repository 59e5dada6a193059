const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `17 bytes`, `4.2 kB`, `34 MB`: 1 kB is 1024 bytes, as in the limits of the editor. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit] ?? ''}`;
}
