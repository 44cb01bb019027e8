/* The object table's shadow at C000: filled from the front every frame, the rest hidden. */
#include "windfall.h"

#define OBJECTS ((u8 *)0xC000)
#define OBJECTS_END ((u8 *)0xC0A0)

u8 *object_next;
u8 put_tile, put_attributes;
static u8 *object_last;

void begin_objects(void) { object_next = OBJECTS; }

void end_objects(void) {
  u8 *object = object_next;
  while (object < object_last) {
    *object = 0;
    object += 4;
  }
  object_last = object_next;
}

/* One 8x16 object at a screen position (hardware offsets included here). */
void put_object(u8 x, u8 y, u8 tile) {
  u8 *object = object_next;
  if (object >= OBJECTS_END) return;
  *object++ = y + 16;
  *object++ = x + 8;
  *object++ = tile;
  *object++ = put_attributes;
  object_next = object;
}

/* A 16x16 picture of `put_tile` with its corner at (x, y); x is 32 more than the screen's, so that 0 is far left. */
void put_wide(u8 x, u8 y) {
  u8 *object = object_next;
  u8 tile = put_tile, step = 2;
  if (object >= OBJECTS_END - 4) return;
  if (put_attributes & 0x20) {
    tile += 2;
    step = 0xfe;
  }
  y += 16;
  x -= 24;
  *object++ = y;
  *object++ = x;
  *object++ = tile;
  *object++ = put_attributes;
  *object++ = y;
  *object++ = x + 8;
  *object++ = tile + step;
  *object++ = put_attributes;
  object_next = object;
}
