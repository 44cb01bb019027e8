/* Windfall: a fruit fly crosses eight orchards. Power-on, the frame, and the order of screens. */
#include "windfall.h"

u8 pad, pad_pressed;

/* Sixteen-bit xorshift. */
u8 random_byte(void) {
  u16 value = game.rng;
  value ^= value << 7;
  value ^= value >> 9;
  value ^= value << 8;
  game.rng = value;
  return (u8)value;
}

static void read_pad(void) {
  u8 before = pad, value, i;
  P1 = 0x20;
  for (i = 0; i < 4; i++) value = P1;
  value = ~value & 15;
  P1 = 0x10;
  for (i = 0; i < 6; i++) pad = P1;
  pad = value | (u8)((~pad & 15) << 4);
  P1 = 0x30;
  pad_pressed = pad & ~before;
}

/* Ends one frame's logic: everything an observer reads is consistent from here until the next picture. */
void wait_frame(void) {
  if (frame_done) game.overruns++;
  frame_done = 0;
  game.busy = 0;
  while (!frame_done) __asm__("halt");
  frame_done = 0;
  game.busy = 1;
  game.frame++;
  read_pad();
}

void lcd_off(void) {
  if (!(LCDC & 0x80)) return;
  while (LY < 145) {
  }
  __asm__("di");
  LCDC = 0;
  __asm__("ei");
}

static void show_orchard(void) {
  u8 i;
  lcd_off();
  SCY = 0;
  card_shown = 0;
  place_fly(game.checkpoint);
  field_scroll = (u8)camera;
  show_columns_from(camera >> 3);
  reset_creatures(game.checkpoint);
  reset_weather();
  for (i = 0; i < 40; i++) hud_rows[i] = 0;
  hud_pending = 1;
  BGP = orchard_palette;
  OBP0 = 0xe0;
  OBP1 = 0xd0;
  WX = 7;
  WY = 0;
  LYC = 15;
  LCDC = 0xe5;
}

static void play_frame(void) {
  u8 pose;
  begin_objects();
  move_fly();
  pose = ((u8)game.frame >> 1) & 3;
  if (flap_timer) pose = 2;
  if (dash_timer) pose = 1;
  if (pose == 3) pose = 1;
  if (!(game.hurt_timer & 4)) draw_fly(game.fly_x, game.fly_y, facing_left ? 0x20 : 0, pose);
  move_creatures();
  draw_weather();
  end_objects();
  stream_columns();
  animate_water();
  draw_bar();
  wait_frame();
}

/* One orchard from the card to its end. Returns 1 when it was cleared, 0 after the last try. */
static u8 play_orchard(void) {
  u8 i;
  game.section = 0;
  game.checkpoint = 0;
  game.furthest = 0;
  game.column = 0;
  game.fruit = 0;
  game.lives = LIVES_FULL;
  for (i = 0; i < 8; i++) game.eaten[i] = 0;
  intro_screen();
  for (;;) {
    game.hearts = HEARTS_FULL;
    show_orchard();
    game.mode = MODE_PLAYING;
    while (game.mode == MODE_PLAYING) {
      play_frame();
      if (game.column + 9 >= game.columns) {
        clear_screen();
        return 1;
      }
    }
    retry_screen();
    if (--game.lives == 0) {
      game.mode = MODE_GAME_OVER;
      bar_message("   TRY THE ORCHARD  ");
      for (i = 0; i < 100; i++) wait_frame();
      return 0;
    }
  }
}

void main(void) {
  lcd_off();
  start_sound();
  copy_length = sizeof(hud_tiles);
  copy_bytes((u8 *)0x9000, hud_tiles);
  copy_length = sizeof(sprite_tiles);
  copy_bytes((u8 *)0x8000, sprite_tiles);
  game.magic[0] = 'W';
  game.magic[1] = 'F';
  game.version = STATE_VERSION;
  game.busy = 1;
  game.rng = 0x5a17;
  card_shown = 2;
  start_interrupts();
  title_screen();
  for (;;) {
    if (!play_orchard()) continue;
    game.score += 50;
    game.cleared = game.orchard + 1;
    if (game.cleared == ORCHARDS) {
      ending_screen();
      game.orchard = 0;
      game.cleared = 0;
      game.round++;
    } else {
      game.orchard++;
    }
  }
}
