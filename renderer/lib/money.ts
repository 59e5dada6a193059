const MICROS = 1_000_000;

/** Millionths of a dollar as `$0.0042`, `$0.37`, `$12.40`; amounts too small to show are `<$0.0001`. */
export function formatMoney(micros: number): string {
  const dollars = micros / MICROS;
  if (dollars === 0) return '$0';
  if (dollars < 0.0001) return '<$0.0001';
  if (dollars < 0.1) return `$${dollars.toFixed(4)}`;
  return `$${dollars.toFixed(2)}`;
}
