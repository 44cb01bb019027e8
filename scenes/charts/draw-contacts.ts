import type { Box } from '../layout.ts';
import { colour, text } from '../theme.ts';
import type { ChartSurface } from './chart-surface.ts';
import { FILLED, LINED, plotArea, titlePanel } from './panel-parts.ts';

export type ContactShares = { readonly positive: readonly number[]; readonly negative: readonly number[] };

const GAP = 6;

/** Share of edges per octave of contacts: excitatory upwards, inhibitory downwards from one axis. */
export function drawContacts(surface: ChartSurface, box: Box, sides: readonly [ContactShares, ContactShares]): void {
  titlePanel(surface, box, 'CONTACTS', 'share of edges; positive up, negative down');
  const area = plotArea(box, { left: 80, right: 24, bottom: 48 });
  const all = sides.flatMap(({ positive, negative }) => [positive, negative]);
  const bins = Math.max(1, ...all.map((shares) => shares.findLastIndex((share) => share > 0) + 1));
  const up = roundUp(Math.max(...sides.map(({ positive }) => Math.max(...positive))));
  const down = roundUp(Math.max(...sides.map(({ negative }) => Math.max(...negative))));
  const scale = area.height / Math.max(STEP, up + down);
  const axis = area.y + up * scale;
  for (let share = -down; share <= up + 1e-9; share += STEP) {
    surface.rect(area.x, axis - share * scale - 1, area.width, 2, colour.grid);
    const label = `${Math.round(Math.abs(share) * 100)} %`;
    surface.words(text.fine, area.x - 10, axis - share * scale - 7, label, colour.secondInk, 'right');
  }
  const pitch = area.width / bins;
  for (let bin = 0; bin < bins; bin++) {
    const x = area.x + bin * pitch + GAP / 2;
    const width = pitch - GAP;
    sides.forEach(({ positive, negative }, side) => {
      const heights = [positive[bin]! * scale, negative[bin]! * scale] as const;
      const tops = [axis - heights[0], axis] as const;
      heights.forEach((height, half) => {
        if (height < 0.5) return;
        if (side === 0) surface.rect(x, tops[half]!, width, height, FILLED);
        else surface.outline(x, tops[half]!, width, Math.max(3, height), 3, LINED);
      });
    });
    if (bin % 2 === 0) {
      surface.words(text.fine, x + width / 2, area.y + area.height + 12, String(2 ** bin), colour.secondInk, 'centre');
    }
  }
  surface.rect(area.x, axis - 1, area.width, 2, colour.secondInk);
}

const STEP = 0.1;

function roundUp(share: number): number {
  return Math.ceil(share / STEP - 1e-9) * STEP;
}
