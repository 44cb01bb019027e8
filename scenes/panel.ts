import type { Container } from 'pixi.js';
import type { Replica } from '../engine/replica/replica.ts';
import type { Frame } from './raster/frame.ts';
import type { Box } from './layout.ts';
import type { ShownText } from './sketch.ts';

/**
 * One part of a layout. It draws a replica and keeps no other truth. `root` is opaque and fills `box`; the stage
 * places, renders and destroys it.
 */
export type Panel = {
  readonly box: Box;
  readonly root: Container;
  /** Brings `root` up to date; true when its picture changed. Called once a frame. */
  update(replica: Replica, nowMs: number): boolean;
  /** The words it shows now, box-local. For tests of size, place and copy. */
  texts(): readonly ShownText[];
  /** Writes living pixels (game, eyes, brain, fly) into the frame, over `root`. Called once a frame after `update`. */
  paint?(frame: Frame, replica: Replica, nowMs: number): void;
};

/** A tree of panels, drawn in order. Built for one descriptor. */
export type Layout = {
  readonly id: string;
  readonly panels: readonly Panel[];
  /** Drawn last, over every panel (sparks, banners in motion). */
  overlay?(frame: Frame, replica: Replica, nowMs: number): void;
};
