import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { createNews } from '../direction/news.ts';
import { paintWipe } from '../direction/wipe.ts';
import { box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { deviceBox } from '../raster/frame.ts';
import { drawWhole, placeWhole } from '../raster/whole-multiple.ts';
import { createSketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';

/** The shared view at the largest whole multiple, nearest neighbour, never stretched (spec: show.md 6, 7, 151). */
export function createGameView(scale: number, descriptor: SessionDescriptor): Panel {
  const sketch = createSketch('game-view', scale);
  const view = descriptor.environment.views[0];
  const area = deviceBox(box.game, scale);
  const place = view === undefined ? null : placeWhole(view, area);
  const newsOf = createNews();
  let setBackAtMs = -Infinity;
  return {
    box: box.game,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      if (newsOf(replica).some(({ kind }) => kind === 'recovery')) setBackAtMs = nowMs;
      sketch.begin(nowMs);
      sketch.rect(0, 0, box.game.width, box.game.height, colour.panel);
      if (place !== null && view !== undefined && place.scale * view.widthPx < area.width) {
        // a bezel around a smaller whole multiple: 2 px line, like any screen in its case
        const edge = 2 / scale;
        const left = (place.x - area.x) / scale;
        const top = (place.y - area.y) / scale;
        const width = (place.scale * view.widthPx) / scale;
        const height = (place.scale * view.heightPx) / scale;
        sketch.rect(left - edge, top - edge, width + 2 * edge, height + 2 * edge, colour.bezel);
      }
      if (replica.views[0] === undefined) {
        sketch.rect(0, 0, box.game.width, box.game.height, colour.background);
        sketch.text('none', text.body, 24, 24, 'no picture yet', colour.secondInk);
      }
      return sketch.end();
    },
    paint(frame, replica, nowMs) {
      const rgba = replica.views[0];
      if (rgba === undefined || view === undefined || place === null) return;
      if (rgba.byteLength < view.widthPx * view.heightPx * 4) return;
      drawWhole(frame, rgba, view.widthPx, view.heightPx, place);
      const width = view.widthPx * place.scale;
      const picture = { x: place.x, y: place.y, width, height: view.heightPx * place.scale };
      paintWipe(frame, picture, place.scale, nowMs - setBackAtMs);
    },
  };
}
