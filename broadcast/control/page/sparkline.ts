const SAMPLES = 60;
const WIDTH = 62;
const HEIGHT = 16;

/** The last minute of one number, a sample a second, as an SVG line. Decoration: the number itself stands beside it. */
export type Sparkline = { readonly root: SVGSVGElement; push(value: number | null): void };

export function createSparkline(): Sparkline {
  const root = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  root.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  root.setAttribute('preserveAspectRatio', 'none');
  root.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  line.setAttribute('vector-effect', 'non-scaling-stroke');
  root.append(line);
  const samples: number[] = [];
  return {
    root,
    push(value) {
      if (value === null) return;
      samples.push(value);
      if (samples.length > SAMPLES) samples.shift();
      line.setAttribute('points', plotPoints(samples));
    },
  };
}

/** Newest at the right. The scale spans at least a tenth of the value, so that noise looks like noise. */
export function plotPoints(samples: readonly number[]): string {
  const low = Math.min(...samples);
  const high = Math.max(...samples);
  const middle = (low + high) / 2;
  const span = Math.max(high - low, Math.abs(middle) * 0.1, 1e-9);
  return samples
    .map((value, i) => {
      const x = WIDTH - ((samples.length - 1 - i) * WIDTH) / (SAMPLES - 1);
      const y = HEIGHT / 2 - ((value - middle) / span) * (HEIGHT - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
