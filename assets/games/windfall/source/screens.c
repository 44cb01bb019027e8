/* The screens between play: title, the card before an orchard, the clear and the ending. */
#include "windfall.h"

static void clear_card(void) {
  u16 i;
  for (i = 0; i < 18 * 32; i++) WINDOW_MAP[i] = 0;
}

static void show_card(void) {
  card_shown = 1;
  BGP = 0xe4;
  OBP0 = 0xe0;
  OBP1 = 0xd0;
  LCDC = 0xe7;
}

static u8 wing_pose(u8 time) {
  u8 step = (time >> 2) & 3;
  return step == 3 ? 1 : step;
}

void title_screen(void) {
  u8 x = 20;
  lcd_off();
  game.mode = MODE_TITLE;
  load_picture(0);
  SCX = SCY = 0;
  card_shown = 2; /* no split; the title uses the whole background */
  start_tune(TUNE_TITLE);
  BGP = 0xe4;
  OBP0 = 0xe0;
  LCDC = 0xc7;
  WY = 144;
  do {
    u8 time = (u8)game.frame;
    begin_objects();
    draw_fly(x, 92 + ((time & 63) < 32 ? (time & 31) >> 2 : 8 - ((time & 31) >> 2)), 0, wing_pose(time));
    if ((time & 1) && ++x == 180) x = 0;
    end_objects();
    game.rng += DIV;
    wait_frame();
  } while (!pad_pressed);
  WY = 0;
  play_effect(EFFECT_CHECKPOINT);
}

/* The dark card: which orchard, its name, its fruit, the fly on its way. */
void intro_screen(void) {
  u8 i, time;
  lcd_off();
  game.mode = MODE_INTRO;
  load_orchard(game.orchard);
  clear_card();
  write_text(WINDOW_MAP + 5 * 32 + 5, "ORCHARD");
  write_number(WINDOW_MAP + 5 * 32 + 13, game.orchard + 1, 1);
  if (game.round) {
    write_text(WINDOW_MAP + 14 * 32 + 6, "ROUND");
    write_number(WINDOW_MAP + 14 * 32 + 12, game.round + 1, 1);
  }
  {
    char name[10];
    for (i = 0; i < 9; i++) name[i] = orchard_name[i];
    name[9] = 0;
    write_text(WINDOW_MAP + 7 * 32 + 5, name);
  }
  write_text(WINDOW_MAP + 12 * 32 + 5, "TRIES x");
  write_number(WINDOW_MAP + 12 * 32 + 12, game.lives, 1);
  show_card();
  start_tune(orchard_tune);
  for (time = 0; time < 110; time++) {
    begin_objects();
    draw_fly(20 + time, 90, 0, wing_pose(time));
    put_attributes = 0x10;
    put_tile = SPRITE_FRUIT;
    put_wide(110 + 32, 80);
    if (time > 80) put_attributes = 0;
    end_objects();
    wait_frame();
  }
}

void clear_screen(void) {
  u8 time;
  game.mode = MODE_CLEAR;
  start_tune(TUNE_CLEAR);
  bar_message("  ORCHARD CLEARED!  ");
  for (time = 0; time < 200; time++) {
    begin_objects();
    if (fly_x >> 4 < camera + 190) fly_x += 24;
    if (time & 1) {
      if ((u8)(fly_y >> 4) > 50) fly_y -= 16;
    }
    game.fly_x = (u8)((fly_x >> 4) - camera);
    game.fly_y = (u8)(fly_y >> 4) + BAR_HEIGHT;
    if (game.fly_x < 180) draw_fly(game.fly_x, game.fly_y, 0, wing_pose(time));
    end_objects();
    if ((time & 7) == 0 && time < 120) {
      game.score += 2;
      play_effect(EFFECT_EAT);
    }
    wait_frame();
  }
}

/* The fly tumbles out of the picture, then a short card tells what comes. */
void retry_screen(void) {
  u8 time;
  u8 y = game.fly_y;
  s8 speed = -5;
  game.deaths++;
  bar_message(" CAUGHT! TRY AGAIN  ");
  for (time = 0; time < 70; time++) {
    begin_objects();
    if (y < 170) {
      y += speed;
      if ((time & 3) == 3) speed++;
      draw_fly(game.fly_x, y, time & 8 ? 0x40 : 0x60, 1);
    }
    end_objects();
    wait_frame();
  }
}

void ending_screen(void) {
  u8 time = 0, x = 0;
  u16 shown;
  lcd_off();
  game.mode = MODE_ENDING;
  game.endings++;
  load_picture(1);
  SCX = SCY = 0;
  card_shown = 2;
  start_tune(TUNE_TITLE);
  BGP = 0xe4;
  OBP0 = 0xe0;
  WY = 144;
  LCDC = 0xc7;
  for (shown = 0; shown < 900; shown++) {
    begin_objects();
    time++;
    draw_fly(x, 74, 0, wing_pose(time));
    if (x < 100 && (time & 1)) x++;
    end_objects();
    wait_frame();
  }
  WY = 0;
}
