import type { PortDescriptor } from '../../engine/contract/environment.ts';

/** A port's controls sorted by how they are shown (spec: show.md 154). Numbers are indices into the port's own lists. */
export type PortControls = {
  /** Pairs of bipolar axes, x then y; the first is the main stick, the second the C stick. */
  readonly sticks: readonly { readonly x: number; readonly y: number }[];
  /** Analogue triggers and any single axis. */
  readonly values: readonly { readonly axis: number; readonly name: string }[];
  /** Up, down, left, right; null when the port lacks one of them. */
  readonly directions: readonly [number, number, number, number] | null;
  /** The other buttons with their short caps. */
  readonly buttons: readonly { readonly button: number; readonly cap: string }[];
};

const SHORT: Readonly<Record<string, string>> = { start: 'ST', select: 'SE' };
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;

export function portControls(port: PortDescriptor | undefined): PortControls {
  if (port === undefined) return { sticks: [], values: [], directions: null, buttons: [] };
  const bipolar = port.axes.map(({ range }, axis) => (range === 'bipolar' ? axis : -1)).filter((axis) => axis >= 0);
  const sticks: { x: number; y: number }[] = [];
  const paired = new Set<number>();
  for (const x of bipolar) {
    const id = port.axes[x]!.id.toLowerCase();
    if (!/x$/.test(id)) continue;
    const y = bipolar.find((axis) => port.axes[axis]!.id.toLowerCase() === id.replace(/x$/, 'y'));
    if (y === undefined || sticks.length === 2) continue;
    sticks.push({ x, y });
    paired.add(x).add(y);
  }
  const values = port.axes
    .map(({ id }, axis) => ({
      axis,
      name: id
        .replace(/[-_ ]?trigger/i, '')
        .slice(0, 6)
        .toUpperCase(),
    }))
    .filter(({ axis }) => !paired.has(axis));
  const found = DIRECTIONS.map((name) => port.buttons.findIndex((button) => button.toLowerCase() === name));
  const directions = found.includes(-1) ? null : ([found[0]!, found[1]!, found[2]!, found[3]!] as const);
  const buttons = port.buttons
    .map((name, button) => ({ button, cap: SHORT[name.toLowerCase()] ?? name.slice(0, 2).toUpperCase() }))
    .filter(({ button }) => directions === null || !found.includes(button));
  return { sticks, values, directions, buttons };
}
