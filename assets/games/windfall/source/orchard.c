/* Loads orchards from the data banks and feeds the background map. This file must lie below 4000: it switches banks. */
#include "windfall.h"

u8 water_start, hurt_start, solid_start;
u8 entity_count, weather, gust_mode, orchard_tune, orchard_palette;
s8 orchard_wind;
u8 orchard_name[9];
static u8 water_frames[64];
static u8 water_tile, water_frame;
static u8 overlay_tiles[20];
static u16 next_column;

/* Indices in `overlay_tiles`; see pack-orchard.ts. */
#define TILE_GAP 0
#define TILE_SURFACE 3
#define TILE_DEEP 4
#define TILE_CRATE 5
#define TILE_PLATFORM 9
#define TILE_BRAMBLE 12
#define TILE_PILLAR 14

static void copy(u8 *target, const u8 *source, u16 length) {
  copy_length = length;
  copy_bytes(target, source);
}

/* Background tiles 0..127 live at 9000, 128..255 at 8800. */
static void copy_tiles(u8 first, const u8 *source, u8 count) {
  u8 low;
  if (first < 128) {
    low = 128 - first;
    if (low > count) low = count;
    copy((u8 *)0x9000 + ((u16)first << 4), source, (u16)low << 4);
    source += (u16)low << 4;
    count -= low;
    first = 128;
  }
  if (count) copy((u8 *)0x8800 + ((u16)(first - 128) << 4), source, (u16)count << 4);
}

static void fill_field(u16 column, u8 row, u8 tile) { FIELD_MAP[(column << 3) + (column << 2) + row] = tile; }

/* kind, column (16 bits), row, width, height */
static void place_overlay(const u8 *overlay) {
  u16 column = overlay[1] | ((u16)overlay[2] << 8);
  u8 row = overlay[3], width = overlay[4], height = overlay[5];
  u8 x, y;
  for (x = 0; x < width; x++) {
    u8 last = x == width - 1;
    switch (overlay[0]) {
      case 0:
        fill_field(column, 9, overlay_tiles[x == 0 ? TILE_GAP : last ? TILE_GAP + 2 : TILE_GAP + 1]);
        fill_field(column, 10, overlay_tiles[TILE_SURFACE]);
        fill_field(column, 11, overlay_tiles[TILE_DEEP]);
        break;
      case 1:
        for (y = 0; y < height; y++) fill_field(column, row + y, overlay_tiles[TILE_CRATE + ((y & 1) << 1) + (x & 1)]);
        break;
      case 2:
        fill_field(column, row, overlay_tiles[x == 0 ? TILE_PLATFORM : last ? TILE_PLATFORM + 2 : TILE_PLATFORM + 1]);
        break;
      case 3:
        fill_field(column, row, overlay_tiles[TILE_BRAMBLE + (x & 1)]);
        break;
      default:
        for (y = 0; y < height; y++) fill_field(column, row + y, overlay_tiles[TILE_PILLAR + (y ? 2 : 0) + (x & 1)]);
    }
    column++;
  }
}

/* Needs the screen off. Interrupts stay off while a data bank is visible. */
void load_orchard(u8 number) {
  const u8 *blob;
  u8 tiles, strips, pieces, overlays, i;
  u8 *target = FIELD_MAP;
  const u8 *strip_start;
  __asm__("di");
  ROM_BANK = orchard_banks[number];
  blob = orchard_addresses[number];
  tiles = blob[0];
  water_start = blob[1];
  hurt_start = blob[2];
  solid_start = blob[3];
  strips = blob[4];
  pieces = blob[5];
  overlays = blob[6];
  entity_count = blob[7];
  orchard_wind = (s8)blob[8];
  weather = blob[9];
  gust_mode = blob[10];
  orchard_tune = blob[11];
  water_tile = blob[12];
  orchard_palette = blob[13];
  copy(orchard_name, blob + 16, 9);
  game.columns = (u16)pieces << 4;
  blob += 32;
  copy_tiles(FIRST_FIELD_TILE, blob, tiles);
  blob += (u16)tiles << 4;
  copy((u8 *)0x8000 + ((u16)SPRITE_FRUIT << 4), blob, 64);
  blob += 64;
  copy(water_frames, blob, 64);
  blob += 64;
  strip_start = blob;
  for (i = strips; i; i--) blob += 192;
  for (i = 0; i < 4; i++) copy(BACKGROUND_MAP + ((u16)(i + 2) << 5), blob + ((u16)i << 5), 32);
  blob += 128;
  copy(overlay_tiles, blob, 20);
  blob += 20;
  for (i = 0; i < pieces; i++) {
    const u8 *strip = strip_start;
    u8 which = blob[i];
    while (which--) strip += 192;
    copy(target, strip, 192);
    target += 192;
  }
  blob += pieces;
  for (i = 0; i < overlays; i++) {
    place_overlay(blob);
    blob += 6;
  }
  copy(ENTITIES, blob, ((u16)entity_count << 2) + entity_count);
  ROM_BANK = 1;
  __asm__("ei");
}

/* Full-screen pictures: tiles, then 20x18 map bytes. Needs the screen off. */
void load_picture(u8 number) {
  const u8 *blob;
  u8 i, tiles;
  __asm__("di");
  ROM_BANK = picture_banks[number];
  blob = picture_addresses[number];
  tiles = blob[0];
  copy_tiles(FIRST_FIELD_TILE, blob + 1, tiles);
  blob += 1 + ((u16)tiles << 4);
  for (i = 0; i < 18; i++) {
    copy(BACKGROUND_MAP + ((u16)i << 5), blob, 20);
    blob += 20;
  }
  ROM_BANK = 1;
  __asm__("ei");
}

static u8 *map_target(u16 column) { return BACKGROUND_MAP + 6 * 32 + ((u8)column & 31); }

/* Draws a whole screen. Needs the screen off. */
void show_columns_from(u16 column) {
  u8 i, row;
  const u8 *source = FIELD_MAP + (column << 3) + (column << 2);
  for (i = 0; i < 22; i++) {
    u8 *target = map_target(column + i);
    if (column + i >= game.columns) break;
    for (row = 0; row < FIELD_ROWS; row++) {
      *target = *source++;
      target += 32;
    }
  }
  next_column = column + 22;
}

/* Queues the next column for the vertical blank when the camera needs it. */
void stream_columns(void) {
  u16 wanted = (camera >> 3) + 22;
  if (column_pending || next_column >= wanted || next_column >= game.columns) return;
  column_source = FIELD_MAP + (next_column << 3) + (next_column << 2);
  column_target = map_target(next_column);
  next_column++;
  column_pending = 1;
}

void animate_water(void) {
  if ((u8)game.frame & 15) return;
  water_frame = (water_frame + 16) & 63;
  tile_source = water_frames + water_frame;
  tile_target = water_tile < 128 ? (u8 *)0x9000 + ((u16)water_tile << 4) : (u8 *)0x8800 + ((u16)(water_tile - 128) << 4);
  tile_pending = 1;
}

/* Tile under a point of the field; 0 above it. x in pixels from the orchard's start, y in field pixels. */
u8 tile_at(u16 x, u8 y) {
  u16 column = x >> 3;
  if (y < FIELD_TOP) return 0;
  if (y > 127) y = 127;
  return FIELD_MAP[(column << 3) + (column << 2) + ((y - FIELD_TOP) >> 3)];
}
