import type { Canvas } from './art/canvas.ts';
import { CLEAR, createCanvas, shadeAt } from './art/canvas.ts';
import { drawSkyStrip, drawStrip } from './art/scenery.ts';
import { drawFruit } from './art/sprites.ts';
import { drawOverlays } from './art/tiles.ts';
import type { OrchardPlan } from './levels/orchards.ts';
import { ENTITY_KINDS, PIECE_COLUMNS, SECTION_PIECES, layOut } from './levels/pieces.ts';

/** Bar and letters take the tiles below this one. */
export const FIRST_FIELD_TILE = 48;
const LAST_TILES = 256 - FIRST_FIELD_TILE;
const OVERLAY_KINDS = ['water', 'crate', 'platform', 'bramble', 'pillar'];
const WEATHERS = ['none', 'leaves', 'rain', 'snow'];
/** Order in video memory: a tile's number tells what touching it means (orchard.c, fly.c). */
const CLASSES = ['air', 'water', 'hurt', 'solid'] as const;
type TileClass = (typeof CLASSES)[number];

/** One orchard as the cartridge stores it; the order of parts is read by `load_orchard` in orchard.c. */
export function packOrchard(plan: OrchardPlan): Uint8Array {
  const tiles = createTileSet();
  const overlays = drawOverlays(plan.theme);
  const sky = cut(drawSkyStrip(plan.theme)).map((tile) => tiles.add(tile, 'air'));
  const strips = plan.strips.map((trees) =>
    columns(drawStrip(plan.theme, trees)).map((tile, index) => {
      const row = index % 12;
      return tiles.add(tile, row >= 9 ? 'solid' : 'air');
    }),
  );
  const table = [
    ...cut(overlays.gap).map((tile) => tiles.add(tile, 'air')),
    tiles.add(encodeTile(overlays.surface[0]!, 0, 0, backgroundBits), 'water', true),
    tiles.add(encodeTile(overlays.deep, 0, 0, backgroundBits), 'water'),
    ...cut(overlays.crate).map((tile) => tiles.add(tile, 'solid')),
    ...cut(overlays.platform).map((tile) => tiles.add(tile, 'solid')),
    ...cut(overlays.bramble).map((tile) => tiles.add(tile, 'hurt')),
    ...cut(overlays.pillar).map((tile) => tiles.add(tile, 'solid')),
  ];
  const { order, starts, bytes } = tiles.finish(plan.name);
  const id = (tile: number): number => order[tile]!;
  const layout = layOut(plan.pieces);
  const header = new Uint8Array(32);
  header.set([
    bytes.length / 16,
    starts[1]!,
    starts[2]!,
    starts[3]!,
    plan.strips.length,
    plan.pieces.length,
    layout.overlays.length,
    layout.entities.length,
    plan.wind & 255,
    WEATHERS.indexOf(plan.weather),
    plan.gale,
    plan.tune,
    id(table[3]!),
    0xe4,
  ]);
  header.set(
    [...plan.name].map((character) => character.charCodeAt(0)),
    16,
  );
  return concatenate([
    header,
    bytes,
    encodeSprite(drawFruit(plan.theme.fruit)),
    concatenate(overlays.surface.map((surface) => encodeTile(surface, 0, 0, backgroundBits))),
    ...strips.map((strip) => Uint8Array.from(strip, id)),
    Uint8Array.from(sky, id),
    Uint8Array.from([...table, ...table.slice(0, 20 - table.length)].slice(0, 20), id),
    Uint8Array.from(plan.pieces, (_, index) => stripOf(index, plan)),
    ...layout.overlays.map(({ kind, column, row, width, height }) =>
      Uint8Array.of(OVERLAY_KINDS.indexOf(kind), column & 255, column >> 8, row, width, height),
    ),
    ...layout.entities.map(({ kind, column, y, parameter }) =>
      Uint8Array.of(column & 255, column >> 8, y, ENTITY_KINDS.indexOf(kind), parameter),
    ),
  ]);
}

/** A full-screen picture: tile count, tiles, 20x18 map. */
export function packPicture(picture: Canvas, name: string): Uint8Array {
  const tiles = createTileSet();
  const map = cut(picture).map((tile) => tiles.add(tile, 'air'));
  const { order, bytes } = tiles.finish(name);
  return concatenate([Uint8Array.of(bytes.length / 16), bytes, Uint8Array.from(map, (tile) => order[tile]!)]);
}

/** A section begins with strip 0, whose big tree stands behind the checkpoint flag; then the other two take turns. */
function stripOf(index: number, plan: OrchardPlan): number {
  if (index % SECTION_PIECES === 0) return 0;
  return 1 + ((index + (index >> 2)) % (plan.strips.length - 1));
}

type TileSet = {
  /** Returns a handle; equal tiles of one class share it unless `alone`. */
  add(tile: Uint8Array, kind: TileClass, alone?: boolean): number;
  /** Tile number per handle, first number of each class, and the tiles themselves. */
  finish(name: string): {
    readonly order: readonly number[];
    readonly starts: readonly number[];
    readonly bytes: Uint8Array;
  };
};

function createTileSet(): TileSet {
  const seen = new Map<string, number>();
  const all: { tile: Uint8Array; kind: TileClass }[] = [];
  return {
    add(tile, kind, alone = false) {
      const key = `${kind}${alone ? all.length : ''}:${tile.join(',')}`;
      const known = seen.get(key);
      if (known !== undefined) return known;
      seen.set(key, all.length);
      all.push({ tile, kind });
      return all.length - 1;
    },
    finish(name) {
      if (all.length > LAST_TILES)
        throw new Error(`${name}: ${all.length} different tiles; video memory has ${LAST_TILES}`);
      const order = new Array<number>(all.length).fill(0);
      const starts: number[] = [];
      const parts: Uint8Array[] = [];
      for (const kind of CLASSES) {
        starts.push(FIRST_FIELD_TILE + parts.length);
        all.forEach((entry, handle) => {
          if (entry.kind !== kind) return;
          order[handle] = FIRST_FIELD_TILE + parts.length;
          parts.push(entry.tile);
        });
      }
      return { order, starts, bytes: concatenate(parts) };
    },
  };
}

/** Row by row. */
function cut(canvas: Canvas): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let y = 0; y < canvas.heightPx; y += 8) {
    for (let x = 0; x < canvas.widthPx; x += 8) tiles.push(encodeTile(canvas, x, y, backgroundBits));
  }
  return tiles;
}

/** Column by column, as the cartridge streams them. */
function columns(strip: Canvas): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let column = 0; column < PIECE_COLUMNS; column++) {
    for (let row = 0; row < 12; row++) tiles.push(encodeTile(strip, column * 8, row * 8, backgroundBits));
  }
  return tiles;
}

function backgroundBits(shade: number): number {
  return shade === CLEAR ? 0 : shade;
}

/** Palette entry of a sprite's shade: 0 is clear in hardware, so light is 1, middle 2, dark 3. */
function spriteBits(shade: number): number {
  if (shade === CLEAR) return 0;
  return shade === 0 ? 1 : shade === 3 ? 3 : 2;
}

export function encodeBackground(canvas: Canvas): Uint8Array {
  return concatenate(cut(canvas));
}

/** Tall sprites: 8x16 cells left to right, each its upper then its lower tile. */
export function encodeSprite(picture: Canvas): Uint8Array {
  const padded = picture.heightPx % 16 === 0 ? picture : pad(picture);
  const tiles: Uint8Array[] = [];
  for (let y = 0; y < padded.heightPx; y += 16) {
    for (let x = 0; x < padded.widthPx; x += 8) {
      tiles.push(encodeTile(padded, x, y, spriteBits), encodeTile(padded, x, y + 8, spriteBits));
    }
  }
  return concatenate(tiles);
}

function pad(picture: Canvas): Canvas {
  const padded = createCanvas(picture.widthPx, Math.ceil(picture.heightPx / 16) * 16);
  padded.shades.set(picture.shades);
  return padded;
}

function encodeTile(canvas: Canvas, x: number, y: number, bits: (shade: number) => number): Uint8Array {
  const tile = new Uint8Array(16);
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const value = bits(shadeAt(canvas, x + column, y + row));
      tile[row * 2]! |= (value & 1) << (7 - column);
      tile[row * 2 + 1]! |= (value >> 1) << (7 - column);
    }
  }
  return tile;
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((total, part) => total + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}
