/* The bar: orchard, section, hearts, seconds to the next gust; below fruit, a road with the fly on it, score. */
#include "windfall.h"

#define GLYPH_SPACE 0
#define GLYPH_A 1
#define GLYPH_0 27
#define GLYPH_DASH 37
#define GLYPH_DOT 38
#define GLYPH_BANG 39
#define GLYPH_TIMES 40
#define GLYPH_HEART 41
#define GLYPH_NO_HEART 42
#define GLYPH_FRUIT 43
#define GLYPH_ROAD 44
#define GLYPH_ROAD_DONE 45
#define GLYPH_ROAD_FLY 46
#define GLYPH_TREE 47
#define ROAD_LENGTH 9

static u8 message_frames;

static u8 glyph(u8 character) {
  if (character >= 'A' && character <= 'Z') return GLYPH_A + (character - 'A');
  if (character >= '0' && character <= '9') return GLYPH_0 + (character - '0');
  if (character == '-') return GLYPH_DASH;
  if (character == '.') return GLYPH_DOT;
  if (character == '!') return GLYPH_BANG;
  if (character == 'x') return GLYPH_TIMES;
  return GLYPH_SPACE;
}

void write_text(u8 *target, const char *text) {
  while (*text) *target++ = glyph(*text++);
}

static const u16 powers[5] = {1, 10, 100, 1000, 10000};

/* By subtraction: the compiler's division costs a third of a frame for one number. */
void write_number(u8 *target, u16 value, u8 digits) {
  while (digits--) {
    u16 power = powers[digits];
    u8 digit = GLYPH_0;
    while (value >= power) {
      value -= power;
      digit++;
    }
    *target++ = digit > GLYPH_0 + 9 ? GLYPH_0 + 9 : digit;
  }
}

void bar_message(const char *text) {
  u8 i;
  for (i = 20; i < 40; i++) hud_rows[i] = GLYPH_SPACE;
  write_text(hud_rows + 20, text);
  message_frames = 90;
  hud_pending = 1;
}

static void draw_top(void) {
  u8 i;
  for (i = 0; i < 9; i++) hud_rows[i] = glyph(orchard_name[i]);
  hud_rows[9] = GLYPH_SPACE;
  hud_rows[10] = GLYPH_0 + 1 + game.orchard;
  hud_rows[11] = GLYPH_DASH;
  hud_rows[12] = GLYPH_0 + 1 + game.section;
  hud_rows[13] = GLYPH_SPACE;
  for (i = 0; i < HEARTS_FULL; i++) hud_rows[14 + i] = i < game.hearts ? GLYPH_HEART : GLYPH_NO_HEART;
  hud_rows[17] = GLYPH_SPACE;
  write_number(hud_rows + 18, game.timer, 2);
}

static void draw_road(void) {
  u8 i, done = 0;
  u16 column = game.column;
  while (column >= 34) { /* 272 columns, eight steps of the road */
    column -= 34;
    done++;
  }
  hud_rows[20] = GLYPH_FRUIT;
  hud_rows[21] = GLYPH_TIMES;
  write_number(hud_rows + 22, game.fruit, 2);
  hud_rows[24] = GLYPH_SPACE;
  for (i = 0; i < ROAD_LENGTH; i++) hud_rows[25 + i] = i < done ? GLYPH_ROAD_DONE : i == done ? GLYPH_ROAD_FLY : GLYPH_ROAD;
  hud_rows[25 + ROAD_LENGTH - 1] = GLYPH_TREE;
  hud_rows[34] = GLYPH_SPACE;
  write_number(hud_rows + 35, game.score, 4);
  hud_rows[39] = GLYPH_0;
}

/* Refreshes the bar every eighth frame: it is read, not reacted to. */
void draw_bar(void) {
  u8 phase = (u8)game.frame & 7;
  if (phase == 0) draw_top();
  if (phase == 4) {
    if (message_frames > 8) {
      message_frames -= 8;
    } else {
      message_frames = 0;
      draw_road();
    }
    hud_pending = 1;
  }
}
