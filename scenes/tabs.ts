import type { Replica } from '../engine/replica/replica.ts';
import type { Frame } from './raster/frame.ts';
import type { Sketch } from './sketch.ts';

/** One page of the tab slot. Drawn in slot-local design px; its words carry ids of their own (`<tab>-...`). */
export type TabPane = {
  /** Called every frame, shown or not (spec: show.md 36: all panes stay alive). */
  step(replica: Replica, nowMs: number): void;
  /** States the page; called only while it is shown. The uppermost `coveredPx` belong to a moment's caption. */
  draw(sketch: Sketch, replica: Replica, nowMs: number, coveredPx: number): void;
  /** Living pixels of the shown page. */
  paint?(frame: Frame, replica: Replica, nowMs: number): void;
};

/** Top of the pane inside the slot and the room below it, design px. */
export const PANE_TOP = 48;
export const PANE_HEIGHT = 368;
