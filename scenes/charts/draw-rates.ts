import type { Box } from '../layout.ts';
import { RAIL_TEXT_X } from '../layout.ts';
import { colour, mix, text } from '../theme.ts';
import type { ChartSurface } from './chart-surface.ts';
import { plotArea, titlePanel } from './panel-parts.ts';

export type RateBar = {
  readonly label: string;
  /** What the population is, for its one colour (show.md 140). */
  readonly meaning: 'sensory' | 'motor' | 'dopamine' | 'kenyon' | 'internal';
  readonly hz: readonly [number | null, number | null];
};

const ROW = 54;
const BAR = 16;
const LABEL_WIDTH = 196;
const VALUE_WIDTH = 84;

/** Mean rates, one pair of bars a population: the first filled, the second outlined. */
export function drawRates(surface: ChartSurface, box: Box, rates: readonly RateBar[], note: string): void {
  titlePanel(surface, box, 'MEAN RATES, HZ', note);
  const area = plotArea(box, { left: RAIL_TEXT_X, right: RAIL_TEXT_X, bottom: 18 });
  const shown = rates.slice(0, Math.floor(area.height / ROW));
  const most = Math.max(1e-9, ...shown.flatMap(({ hz }) => hz.map((rate) => rate ?? 0)));
  const barX = area.x + LABEL_WIDTH;
  const barWidth = area.width - LABEL_WIDTH - VALUE_WIDTH;
  shown.forEach(({ label, meaning, hz }, index) => {
    const y = area.y + index * ROW;
    const tint = colour[meaning];
    surface.words(text.fine, area.x, y + 12, label, colour.ink);
    surface.rect(barX - 2, y, 2, ROW - 14, colour.bezel);
    hz.forEach((rate, side) => {
      const barY = y + side * (BAR + 4);
      if (rate === null) {
        surface.words(text.fine, barX + 8, barY + 1, 'none', colour.secondInk);
        return;
      }
      const width = (rate / most) * barWidth;
      if (side === 0) surface.rect(barX, barY, width, BAR, mix(tint, colour.background, 0.35));
      else surface.outline(barX, barY, Math.max(4, width), BAR, 3, tint);
      surface.words(
        text.fine,
        barX + barWidth + VALUE_WIDTH,
        barY + 1,
        rate.toFixed(rate < 10 ? 2 : 1),
        colour.ink,
        'right',
      );
    });
  });
}
