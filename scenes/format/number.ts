/** `139,255`. The same on every machine, whatever its locale. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** An event's value: signed, two decimals below 1, else one (spec: show.md 76). */
export function signedValue(value: number): string {
  const size = Math.abs(value);
  return `${value < 0 ? '-' : '+'}${size.toFixed(size < 1 ? 2 : 1)}`;
}
