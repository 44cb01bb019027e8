import { grouped } from '../format/number.ts';
import { CANVAS_HEIGHT, CANVAS_WIDTH, COLUMN_GAP, INSET } from '../layout.ts';
import type { Box } from '../layout.ts';
import { colour, text } from '../theme.ts';
import { createChartSurface } from './chart-surface.ts';
import type { ChartSurface } from './chart-surface.ts';
import { drawContacts } from './draw-contacts.ts';
import type { ContactShares } from './draw-contacts.ts';
import { drawDegrees } from './draw-degrees.ts';
import type { DegreeCurve } from './draw-degrees.ts';
import { drawFacts } from './draw-facts.ts';
import type { ChartFact } from './draw-facts.ts';
import { drawRates } from './draw-rates.ts';
import type { RateBar } from './draw-rates.ts';
import { FILLED, LINED } from './panel-parts.ts';

/** Two wirings in one picture. The first is always the filled shape, the second the line or outline. */
export type ComparisonChart = {
  readonly sides: readonly [ChartSide, ChartSide];
  /** Written out, in reading order; at most eight. */
  readonly facts: readonly ChartFact[];
  /** In reading order; null where a side lacks the population. At most fourteen are drawn. */
  readonly rates: readonly RateBar[];
  /** Under what the rates were measured, one line. */
  readonly rateNote: string;
};

export type ChartSide = {
  readonly name: string;
  /** e.g. `grown twin, not a measured wiring`. */
  readonly origin: string;
  readonly neurons: number;
  readonly edges: number;
  readonly outDegree: DegreeCurve;
  readonly inDegree: DegreeCurve;
  /** Share of edges per octave of contacts, from 1 contact up. */
  readonly contacts: ContactShares;
};

const HEADER_HEIGHT = 128;
const ROW_HEIGHT = 422;
const DISTRIBUTION_WIDTH = 560;
const SWATCH: { readonly width: number; readonly height: number } = { width: 32, height: 16 };

/** The comparison as a PNG of 1920x1080 px. */
export async function drawComparison(chart: ComparisonChart): Promise<Uint8Array> {
  const surface = await createChartSurface(CANVAS_WIDTH, CANVAS_HEIGHT);
  surface.words(text.hero, INSET, INSET, 'TWO WIRINGS COMPARED', colour.ink);
  drawLegend(surface, chart);
  const top = INSET + HEADER_HEIGHT;
  const below = top + ROW_HEIGHT + COLUMN_GAP;
  const second = INSET + DISTRIBUTION_WIDTH + COLUMN_GAP;
  const third = second + DISTRIBUTION_WIDTH + COLUMN_GAP;
  const cell = (x: number, y: number): Box => ({ x, y, width: DISTRIBUTION_WIDTH, height: ROW_HEIGHT });
  const [a, b] = chart.sides;
  drawDegrees(surface, cell(INSET, top), 'OUT-DEGREE', 'share of neurons with at least x targets', [
    a.outDegree,
    b.outDegree,
  ]);
  drawDegrees(surface, cell(second, top), 'IN-DEGREE', 'share of neurons with at least x sources', [
    a.inDegree,
    b.inDegree,
  ]);
  drawContacts(surface, cell(INSET, below), [a.contacts, b.contacts]);
  drawFacts(surface, cell(second, below), chart.facts);
  const height = CANVAS_HEIGHT - INSET - top;
  drawRates(surface, { x: third, y: top, width: CANVAS_WIDTH - INSET - third, height }, chart.rates, chart.rateNote);
  return surface.png();
}

function drawLegend(surface: ChartSurface, { sides }: ComparisonChart): void {
  sides.forEach(({ name, origin, neurons, edges }, side) => {
    const y = INSET + 46 + side * 36;
    if (side === 0) surface.rect(INSET, y, SWATCH.width, SWATCH.height, FILLED);
    else surface.outline(INSET, y, SWATCH.width, SWATCH.height, 3, LINED);
    const size = `${grouped(neurons)} neurons, ${grouped(edges)} edges`;
    const words = name === origin ? `${name}; ${size}` : `${name}; ${origin}; ${size}`;
    surface.words(text.body, INSET + SWATCH.width + 16, y - 1, words, colour.ink);
  });
}
