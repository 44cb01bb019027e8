import type { Container, ICanvas } from 'pixi.js';
import { loadPixi, newCanvas } from './adapter.ts';
import { deviceBox } from '../../raster/frame.ts';
import type { Frame } from '../../raster/frame.ts';
import type { Box } from '../../layout.ts';

/** Draws Pixi containers on a Skia canvas and copies the drawn part into a frame. */
export type PanelRenderer = {
  /** Renders an opaque container whose top-left is `box`, then reads that box back into `frame`. */
  draw(root: Container, box: Box, frame: Frame): void;
  close(): void;
};

export async function createPanelRenderer(widthPx: number, heightPx: number, scale: number): Promise<PanelRenderer> {
  const { CanvasRenderer } = await loadPixi();
  const canvas = newCanvas(widthPx, heightPx);
  const renderer = new CanvasRenderer();
  await renderer.init({
    canvas: canvas as unknown as ICanvas,
    width: widthPx,
    height: heightPx,
    resolution: 1,
    antialias: false,
    backgroundAlpha: 1,
    backgroundColor: 0,
    clearBeforeRender: false,
    hello: false,
    skipExtensionImports: true,
  });
  const context = canvas.getContext('2d');
  return {
    draw(root, box, frame) {
      const area = deviceBox(box, scale);
      root.position.set(area.x, area.y);
      root.scale.set(scale);
      renderer.render({ container: root, clear: false });
      copyIn(context.getImageData(area.x, area.y, area.width, area.height).data, area, frame);
    },
    close: () => renderer.destroy(),
  };
}

function copyIn(rgba: Uint8ClampedArray, area: Box, frame: Frame): void {
  const rowBytes = area.width * 4;
  for (let row = 0; row < area.height; row++) {
    const from = row * rowBytes;
    frame.bytes.set(rgba.subarray(from, from + rowBytes), ((area.y + row) * frame.width + area.x) * 4);
  }
}
