import type { Box } from '../layout.ts';
import { RAIL_TEXT_X } from '../layout.ts';
import { colour, text } from '../theme.ts';
import type { ChartSurface } from './chart-surface.ts';

/** The first wiring is filled, the second is a line: neither borrows a colour that means something (show.md 140). */
export const FILLED: number = colour.bezel;
export const LINED: number = colour.ink;

const TITLE_Y = 18;
const CAPTION_Y = 48;
const PLOT_TOP = 84;

/** Frame, title in the label face and one line under it. */
export function titlePanel(surface: ChartSurface, box: Box, title: string, caption: string): void {
  surface.frame(box);
  surface.words(text.smallLabel, box.x + RAIL_TEXT_X, box.y + TITLE_Y, title, colour.ink);
  surface.words(text.fine, box.x + RAIL_TEXT_X, box.y + CAPTION_Y, caption, colour.secondInk);
}

/** What is left of a titled panel for marks, after room for axis labels. */
export function plotArea(
  box: Box,
  room: { readonly left: number; readonly right: number; readonly bottom: number },
): Box {
  return {
    x: box.x + room.left,
    y: box.y + PLOT_TOP,
    width: box.width - room.left - room.right,
    height: box.height - PLOT_TOP - room.bottom,
  };
}
