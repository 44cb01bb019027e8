import type { Box } from '../layout.ts';
import { RAIL_TEXT_X } from '../layout.ts';
import { colour, text } from '../theme.ts';
import type { ChartSurface } from './chart-surface.ts';
import { FILLED, LINED, plotArea, titlePanel } from './panel-parts.ts';

export type ChartFact = { readonly label: string; readonly values: readonly [string, string]; readonly ratio: string };

const ROW = 34;
const MAX_ROWS = 8;

/** Figures of both wirings and the second over the first. */
export function drawFacts(surface: ChartSurface, box: Box, facts: readonly ChartFact[]): void {
  titlePanel(surface, box, 'IN FIGURES', '');
  const area = plotArea(box, { left: RAIL_TEXT_X, right: RAIL_TEXT_X, bottom: 24 });
  const right = area.x + area.width;
  const columns = [right - 220, right - 92, right] as const;
  const header = box.y + 46;
  surface.rect(columns[0] - 32, header, 32, 16, FILLED);
  surface.outline(columns[1] - 32, header, 32, 16, 3, LINED);
  surface.words(text.fine, columns[2], header, 'ratio', colour.secondInk, 'right');
  facts.slice(0, MAX_ROWS).forEach(({ label, values, ratio }, index) => {
    const y = area.y + index * ROW + 10;
    surface.words(text.fine, area.x, y, label, colour.secondInk);
    surface.words(text.fine, columns[0], y, values[0], colour.ink, 'right');
    surface.words(text.fine, columns[1], y, values[1], colour.ink, 'right');
    surface.words(text.fine, columns[2], y, ratio, colour.secondInk, 'right');
    surface.rect(area.x, y + 21, area.width, 1, colour.grid);
  });
}
