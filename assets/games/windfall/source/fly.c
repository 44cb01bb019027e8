/* The fly: held directions steer, A flaps, B dashes, the wind carries. */
#include "windfall.h"

u16 fly_x, fly_y, camera;
s8 fly_vx, fly_vy, wind;
u8 facing_left, dash_timer, flap_timer;
static u8 dash_rest, wind_step, bounce_rest;
static u16 furthest_pixel, stuck_frames;
static u8 second_frames;

/* Sixteenths of a pixel per frame: falls a little, so that flaps matter; two flaps a second hold the height. */
#define SINK 13
#define HALF_WIDTH 9
#define HALF_HEIGHT 6
#define SECONDS_TO_GUST 60
#define STUCK_FRAMES 720
#define GUST_FRAMES 80

void place_fly(u16 column) {
  camera = column << 3;
  fly_x = (camera + 44) << 4;
  fly_y = 56 << 4;
  fly_vx = fly_vy = 0;
  facing_left = dash_timer = dash_rest = flap_timer = 0;
  furthest_pixel = camera + 44;
  stuck_frames = 0;
  second_frames = 0;
  game.gust_timer = 0;
  game.timer = SECONDS_TO_GUST;
  game.hurt_timer = 60;
}

static u8 solid(u16 x, u8 y) { return tile_at(x, y) >= solid_start; }

static void blow(void) {
  s8 target = orchard_wind - (game.round ? 1 : 0);
  if (gust_mode && !game.gust_timer) {
    /* a gale that turns every four seconds */
    u8 phase = (u8)(game.frame >> 8) & 3;
    if (phase == 1) target -= gust_mode;
    if (phase == 3) target += gust_mode;
  }
  if (game.gust_timer) {
    game.gust_timer--;
    target = 20;
  }
  if (wind < target) wind++;
  else if (wind > target) wind--;
}

static s8 towards(s8 value, s8 target, u8 step) {
  if (value < target) {
    value += step;
    if (value > target) value = target;
  } else if (value > target) {
    value -= step;
    if (value < target) value = target;
  }
  return value;
}

static void steer(void) {
  s8 target_x = wind, target_y = SINK;
  if (pad & PAD_RIGHT) {
    target_x += 14;
    facing_left = 0;
  } else if (pad & PAD_LEFT) {
    target_x -= 14;
    facing_left = 1;
  }
  if (pad & PAD_UP) target_y = -16;
  else if (pad & PAD_DOWN) target_y = 19;
  if (pad_pressed & PAD_A) {
    fly_vy = -26;
    flap_timer = 10;
    play_effect(EFFECT_FLAP);
  }
  if ((pad_pressed & PAD_B) && !dash_rest) {
    dash_timer = 11;
    dash_rest = 50;
    play_effect(EFFECT_DASH);
  }
  if (dash_rest) dash_rest--;
  if (flap_timer) flap_timer--;
  if (bounce_rest) bounce_rest--;
  if (game.gust_timer) target_y -= 18;
  if (dash_timer) {
    dash_timer--;
    fly_vx = facing_left ? -30 : 30;
    if (target_y > 2) target_y = 2;
  } else {
    fly_vx = towards(fly_vx, target_x, 2);
  }
  fly_vy = towards(fly_vy, target_y, 2);
}

static void move_sideways(void) {
  u16 next = fly_x + fly_vx;
  u16 pixel = next >> 4;
  u8 y = (u8)(fly_y >> 4);
  u16 left = camera + 14;
  u16 right = (game.columns << 3) - 16;
  u16 edge;
  if (pixel < left) {
    next = left << 4;
    pixel = left;
  }
  if (pixel > right) {
    next = right << 4;
    pixel = right;
  }
  edge = fly_vx < 0 ? pixel - HALF_WIDTH : pixel + HALF_WIDTH;
  if (solid(edge, y - HALF_HEIGHT + 1) || solid(edge, y + HALF_HEIGHT - 1)) {
    fly_vx = 0;
    dash_timer = 0;
    return;
  }
  fly_x = next;
}

static void move_up_and_down(void) {
  u16 next = fly_y + fly_vy;
  u16 pixel = fly_x >> 4;
  u8 y, edge;
  game.on_ground = 0;
  if (next < (14 << 4) || next > 0x8000) {
    next = 14 << 4;
    fly_vy = 0;
  }
  y = (u8)(next >> 4);
  edge = fly_vy < 0 ? y - HALF_HEIGHT : y + HALF_HEIGHT;
  if (solid(pixel - 7, edge) || solid(pixel + 7, edge)) {
    if (fly_vy > 0) game.on_ground = 1;
    fly_vy = 0;
    return;
  }
  fly_y = next;
}

void hurt_fly(void) {
  if (game.hurt_timer || game.mode != MODE_PLAYING) return;
  game.hearts--;
  game.hurt_timer = 84;
  fly_vx = -16;
  fly_vy = -18;
  dash_timer = 0;
  play_effect(EFFECT_HURT);
  if (game.hearts == 0) game.mode = MODE_CAUGHT;
}

static void touch_tiles(void) {
  u8 tile = tile_at(fly_x >> 4, (u8)(fly_y >> 4) + HALF_HEIGHT + 1);
  if (tile < water_start || tile >= solid_start) return;
  if (!bounce_rest) {
    play_effect(tile < hurt_start ? EFFECT_SPLASH : EFFECT_BONK);
    bounce_rest = 20;
  }
  hurt_fly();
  fly_vy = -34;
}

/* Nobody stays stuck: no new ground for twelve seconds, or the timer running out, brings a gust that lifts and carries. */
static void keep_going(void) {
  u16 pixel = fly_x >> 4;
  if (pixel > furthest_pixel) {
    if (pixel - furthest_pixel > 1) stuck_frames = 0;
    furthest_pixel = pixel;
  }
  if (++stuck_frames > STUCK_FRAMES) {
    stuck_frames = 0;
    game.gust_timer = GUST_FRAMES;
    bar_message("     A GUST COMES   ");
    play_effect(EFFECT_GUST);
  }
  if (++second_frames < 60) return;
  second_frames = 0;
  if (game.timer) game.timer--;
  if (!game.timer) {
    game.timer = SECONDS_TO_GUST;
    game.gust_timer = GUST_FRAMES;
    bar_message("     A GUST COMES   ");
    play_effect(EFFECT_GUST);
  }
}

static void follow(void) {
  u16 pixel = fly_x >> 4;
  u16 last = (game.columns << 3) - 160;
  if (pixel > camera + 68) {
    u16 lead = pixel - camera - 68;
    camera += lead > 3 ? 3 : lead;
    if (camera > last) camera = last;
  }
  field_scroll = (u8)camera;
  sky_scroll = (u8)(camera >> 2) + (u8)(game.frame >> 5);
}

void move_fly(void) {
  u16 column, furthest;
  blow();
  steer();
  move_sideways();
  move_up_and_down();
  touch_tiles();
  keep_going();
  follow();
  if (game.hurt_timer) game.hurt_timer--;
  column = fly_x >> 7;
  furthest = game.furthest;
  if (column > furthest) game.furthest = column;
  game.column = column;
  game.fly_x = (u8)((fly_x >> 4) - camera);
  game.fly_y = (u8)(fly_y >> 4) + BAR_HEIGHT;
}

/* x and y: centre on the screen. Pose 0..2 picks the wings; attributes are the hardware's flip and palette bits. */
void draw_fly(u8 x, u8 y, u8 attributes, u8 pose) {
  u8 *object = object_next;
  u8 upper = SPRITE_FLY_UPPER_0 + (pose << 3);
  u8 lower = pose == 2 ? SPRITE_FLY_LOWER_1 : SPRITE_FLY_LOWER_0;
  u8 i, left = x - 16 + 8, top = y;
  u8 step = 2;
  if (attributes & 0x20) {
    upper += 6;
    lower += 6;
    step = 0xfe;
  }
  if (attributes & 0x40) {
    u8 swap = upper;
    upper = lower;
    lower = swap;
  }
  for (i = 0; i < 4; i++) {
    *object++ = top;
    *object++ = left;
    *object++ = upper;
    *object++ = attributes;
    *object++ = top + 16;
    *object++ = left;
    *object++ = lower;
    *object++ = attributes;
    upper += step;
    lower += step;
    left += 8;
  }
  object_next = object;
}
