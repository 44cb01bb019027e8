import { ConfigError } from '../engine/errors.ts';
import type { Replica } from '../engine/replica/replica.ts';
import { createBrainMap } from './brain-map/brain-map.ts';
import type { BrainMap } from './brain-map/brain-map.ts';
import type { StageGeometry } from './geometry.ts';
import { CANVAS_HEIGHT, CANVAS_WIDTH, GRID_PITCH, box } from './layout.ts';
import type { Box } from './layout.ts';
import { createIntermission } from './layouts/intermission.ts';
import { cardBoxes } from './layouts/match-boxes.ts';
import { createSingleFly } from './layouts/single-fly.ts';
import { createStarting } from './layouts/starting.ts';
import { createFourFly, createTwoFly, mapBox } from './layouts/two-fly.ts';
import { CARD_PLAN } from './panels/agent-card.ts';
import type { Layout } from './panel.ts';
import { createFrame, fillRect } from './raster/frame.ts';
import type { Frame } from './raster/frame.ts';
import { createPanelRenderer } from './renderer/canvas/canvas-renderer.ts';
import type { ShownText } from './sketch.ts';
import { colour } from './theme.ts';

export type { StageGeometry } from './geometry.ts';

/** Draws a replica into RGBA frames. A pure function of what it was given: it reads no clock. */
export type Stage = {
  /** Rasterises the agent's brain once; may take a few hundred ms. Call it again when the brain changes. */
  setGeometry(agentIndex: number, geometry: StageGeometry): void;
  /**
   * @param nowMs the observer's monotonic clock, the one `Replica.appliedAtMs` was read from
   * Let the event loop turn between frames: the canvas library frees what it read back only there.
   * @returns `widthPx * heightPx * 4` bytes RGBA, opaque, top-left origin; the stage's own until the next call
   */
  render(replica: Replica, nowMs: number): Uint8Array;
  /** Which layout is on stage and the words it shows, canvas design px. For tests and the console. */
  describe(): { readonly layout: string; readonly texts: readonly (ShownText & { readonly panel: string })[] };
  close(): void;
};

/**
 * 1920x1080 is the authoring size; 1280x720 is the same scene at 2/3 (spec: show.md 1).
 * @throws ConfigError STAGE_SIZE when the size is not 16:9 or below 1280x720
 */
export async function createStage(options: { readonly widthPx: number; readonly heightPx: number }): Promise<Stage> {
  const { widthPx, heightPx } = options;
  const scale = widthPx / CANVAS_WIDTH;
  if (!Number.isInteger(widthPx) || widthPx < 1_280 || heightPx !== CANVAS_HEIGHT * scale) {
    throw new ConfigError(
      'STAGE_SIZE',
      `stage: ${widthPx}x${heightPx} is not 1280x720 or 1920x1080; set the picture size to one.`,
    );
  }
  const renderer = await createPanelRenderer(widthPx, heightPx, scale);
  const base = createFrame(widthPx, heightPx, scale);
  const frame = createFrame(widthPx, heightPx, scale);
  const brains = new Map<number, { readonly geometry: StageGeometry; readonly maps: Map<string, BrainMap> }>();
  let layout: Layout | null = null;
  let layoutKey = '';
  let geometryCount = 0;

  function enter(replica: Replica): Layout {
    const { descriptor } = replica;
    const kind = layoutKind(replica);
    const key = `${kind} ${descriptor?.sessionId} ${descriptor?.revision} ${geometryCount}`;
    if (layout !== null && key === layoutKey) return layout;
    layoutKey = key;
    closeLayout();
    const geometry = brains.get(0)?.geometry ?? null;
    if (kind === 'starting' || descriptor === null) layout = createStarting(scale, geometry);
    else if (kind === 'intermission') layout = createIntermission(scale, descriptor, geometry);
    else if (descriptor.agents.length > 2) layout = createFourFly(scale, descriptor, mapOf);
    else if (descriptor.agents.length === 2) layout = createTwoFly(scale, descriptor, mapOf);
    else layout = createSingleFly(scale, descriptor, geometry, mapOf(0, box.tabPane));
    drawBench(base);
    return layout;
  }

  /** Rasterised once for each place that a brain is drawn in; dark at first, whatever it showed before. */
  function mapOf(agentIndex: number, at: Box): BrainMap | null {
    const brain = brains.get(agentIndex);
    if (brain === undefined) return null;
    const key = `${at.x},${at.y},${at.width},${at.height}`;
    let map = brain.maps.get(key);
    if (map === undefined) {
      map = createBrainMap(brain.geometry, agentIndex, at, scale);
      brain.maps.set(key, map);
    }
    map.reset();
    return map;
  }

  function closeLayout(): void {
    for (const panel of layout?.panels ?? [])
      panel.root.destroy({ children: true, texture: true, textureSource: true });
    layout = null;
  }

  return {
    setGeometry(agentIndex, geometry) {
      brains.set(agentIndex, { geometry, maps: new Map() });
      // drawn now, while nothing is on air, rather than on the first picture of a world
      if (agentIndex === 0) mapOf(agentIndex, box.tabPane);
      const card = cardBoxes[agentIndex];
      if (card !== undefined) mapOf(agentIndex, mapBox(card, CARD_PLAN));
      geometryCount++;
    },
    render(replica, nowMs) {
      const shown = enter(replica);
      for (const panel of shown.panels) {
        if (panel.update(replica, nowMs)) renderer.draw(panel.root, panel.box, base);
      }
      frame.pixels.set(base.pixels);
      for (const panel of shown.panels) panel.paint?.(frame, replica, nowMs);
      shown.overlay?.(frame, replica, nowMs);
      return frame.bytes;
    },
    describe: () => ({
      layout: layout?.id ?? 'none',
      texts: (layout?.panels ?? []).flatMap((panel) =>
        panel.texts().map((words) => ({
          ...words,
          panel: panel.root.label,
          x: words.x + panel.box.x,
          y: words.y + panel.box.y,
        })),
      ),
    }),
    close() {
      closeLayout();
      renderer.close();
    },
  };
}

/** A boundary of another descriptor is never drawn as this one's. */
function layoutKind({ descriptor, snapshot, starting }: Replica): 'starting' | 'intermission' | 'live' {
  if (descriptor === null || snapshot === null) return 'starting';
  if (starting !== null) return 'intermission';
  return snapshot.revision === descriptor.revision ? 'live' : 'starting';
}

/** The bench: black with a 48 px grid of 1 px lines (show.md 3). */
function drawBench(frame: Frame): void {
  fillRect(frame, 0, 0, frame.width, frame.height, colour.background);
  for (let x = GRID_PITCH; x < CANVAS_WIDTH; x += GRID_PITCH)
    fillRect(frame, Math.round(x * frame.scale), 0, 1, frame.height, colour.grid);
  for (let y = GRID_PITCH; y < CANVAS_HEIGHT; y += GRID_PITCH)
    fillRect(frame, 0, Math.round(y * frame.scale), frame.width, 1, colour.grid);
}
