import type { Box } from '../layout.ts';
import { colour, text } from '../theme.ts';
import type { ChartSurface } from './chart-surface.ts';
import { FILLED, LINED, plotArea, titlePanel } from './panel-parts.ts';

export type DegreeCurve = { readonly atLeast: readonly number[]; readonly share: readonly number[] };

const MARK = 8;

/** Share of neurons with at least x partners, both axes logarithmic, whole decades. */
export function drawDegrees(
  surface: ChartSurface,
  box: Box,
  title: string,
  caption: string,
  curves: readonly [DegreeCurve, DegreeCurve],
): void {
  titlePanel(surface, box, title, caption);
  const area = plotArea(box, { left: 116, right: 48, bottom: 48 });
  const decades = (value: number): number => Math.max(1, Math.ceil(Math.log10(value) - 1e-9));
  const xDecades = decades(Math.max(...curves.map(({ atLeast }) => atLeast.at(-1) ?? 1)));
  const yDecades = decades(1 / Math.min(...curves.map(({ share }) => share.at(-1) ?? 1)));
  const toX = (value: number): number => area.x + (Math.log10(value) / xDecades) * area.width;
  const toY = (share: number): number => area.y + (-Math.log10(share) / yDecades) * area.height;

  for (let decade = 0; decade <= xDecades; decade++) {
    surface.rect(toX(10 ** decade) - 1, area.y, 2, area.height, colour.grid);
    surface.words(
      text.fine,
      toX(10 ** decade),
      area.y + area.height + 12,
      String(10 ** decade),
      colour.secondInk,
      'centre',
    );
  }
  for (let decade = 0; decade <= yDecades; decade++) {
    const y = toY(10 ** -decade);
    surface.rect(area.x, y - 1, area.width, 2, colour.grid);
    const label = decade === 0 ? '1' : (10 ** -decade).toFixed(decade);
    surface.words(text.fine, area.x - 10, y - 7, label, colour.secondInk, 'right');
  }
  const points = ({ atLeast, share }: DegreeCurve): [number, number][] =>
    atLeast.map((value, index) => [toX(value), toY(share[index]!)]);
  const [filled, lined] = curves.map(points) as [[number, number][], [number, number][]];
  const bottom = area.y + area.height;
  if (filled.length > 0) {
    surface.polygon([[filled[0]![0], bottom], ...filled, [filled.at(-1)[0], bottom]], FILLED);
  }
  surface.path(lined, 3, LINED);
  for (const [x, y] of lined) surface.rect(x - MARK / 2, y - MARK / 2, MARK, MARK, LINED);
  surface.rect(area.x, bottom - 1, area.width, 2, colour.bezel);
}
