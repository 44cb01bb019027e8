/* Everything that waits along the way: fruit, hearts, checkpoint flags and the animals, and the weather. */
#include "windfall.h"

#define SLOTS 12
#define PARTICLES 6
/* In the first orchards a checkpoint also gives a try back. */
#define KIND_ORCHARDS 4

/* Kinds; see levels/pieces.ts. */
#define FRUIT 0
#define HEART_DROP 1
#define FLAG 2
#define SPIDER 3
#define BIRD 4
#define FROG 5
#define WASP 6
#define BAT 7
#define FALLING 8
#define SPARK 9
#define FREE 255

static u8 kind[SLOTS];
static u16 at_x[SLOTS];
static u8 at_y[SLOTS];
static u8 home_y[SLOTS];
static u8 parameter[SLOTS];
static u8 clock[SLOTS];
static const u8 *next_entity;
static u8 entities_left;
static u8 particle_x[PARTICLES], particle_y[PARTICLES];

/* A quarter-free wave: 0..31..0..-31, 64 steps. */
static const s8 wave[64] = {0,  3,  6,  9,  12, 15, 17, 20,  22,  24,  26,  27,  29,  30,  30,  31,  31,  31,  30,  30,  29,  27,
                            26, 24, 22, 20, 17, 15, 12, 9,   6,   3,   0,   -3,  -6,  -9,  -12, -15, -17, -20, -22, -24, -26, -27,
                            -29, -30, -30, -31, -31, -31, -30, -30, -29, -27, -26, -24, -22, -20, -17, -15, -12, -9, -6, -3};

void reset_creatures(u16 from_column) {
  u8 i;
  for (i = 0; i < SLOTS; i++) kind[i] = FREE;
  next_entity = ENTITIES;
  entities_left = entity_count;
  while (entities_left && (u16)(next_entity[0] | ((u16)next_entity[1] << 8)) < from_column) {
    next_entity += 5;
    entities_left--;
  }
}

static u8 eaten(u8 id) { return game.eaten[id >> 3] & (1 << (id & 7)); }

static u8 free_slot(void) {
  u8 i;
  for (i = 0; i < SLOTS; i++)
    if (kind[i] == FREE) return i;
  return FREE;
}

static void spawn(void) {
  u16 column, edge = (camera >> 3) + 21;
  u8 slot;
  while (entities_left) {
    column = next_entity[0] | ((u16)next_entity[1] << 8);
    if (column > edge) return;
    if (next_entity[3] != FRUIT || !eaten(next_entity[4])) {
      slot = free_slot();
      if (slot == FREE) return;
      kind[slot] = next_entity[3];
      at_x[slot] = column << 3;
      at_y[slot] = home_y[slot] = next_entity[2];
      parameter[slot] = next_entity[4];
      clock[slot] = (u8)column << 3;
    }
    next_entity += 5;
    entities_left--;
  }
}

static void become_spark(u8 slot) {
  kind[slot] = SPARK;
  clock[slot] = 0;
}

static void eat(u8 slot) {
  u8 id = parameter[slot];
  game.eaten[id >> 3] |= 1 << (id & 7);
  game.fruit++;
  game.fruit_total++;
  game.score++;
  play_effect(EFFECT_EAT);
  become_spark(slot);
}

static void raise_flag(u8 slot) {
  if (parameter[slot] <= game.section && parameter[slot]) return;
  if (parameter[slot] == 0) return;
  game.section = parameter[slot];
  game.checkpoint = (u16)game.section << 6;
  game.score += 10;
  bar_message("  CHECKPOINT TREE!  ");
  if (game.hearts < HEARTS_FULL) game.hearts++;
  if (game.orchard < KIND_ORCHARDS && game.lives < LIVES_FULL) game.lives++;
  play_effect(EFFECT_CHECKPOINT);
}

/* Returns the tile to draw; moves the animal. */
static u8 move_animal(u8 slot) {
  u8 time = ++clock[slot];
  u8 quick = game.round ? 1 : 0;
  switch (kind[slot]) {
    case SPIDER: {
      u8 drop = (u8)(wave[(time >> 1) & 63] + 31);
      at_y[slot] = home_y[slot] + (parameter[slot] ? drop : drop >> 1);
      return time & 16 ? SPRITE_SPIDER_1 : SPRITE_SPIDER_0;
    }
    case BIRD:
      at_x[slot] -= 1 + quick;
      if (parameter[slot] && (time & 1)) at_x[slot]--;
      at_y[slot] = home_y[slot] + (wave[(time >> 1) & 63] >> 1);
      return time & 8 ? SPRITE_BIRD_1 : SPRITE_BIRD_0;
    case FROG: {
      u8 phase = time & 127;
      if (phase < 64) {
        at_y[slot] = home_y[slot] - (u8)(wave[phase >> 1] << 1) - (u8)wave[phase >> 1];
      } else {
        at_y[slot] = home_y[slot];
        return 0;
      }
      return SPRITE_FROG_0;
    }
    case WASP: {
      u8 wanted = (u8)(fly_y >> 4) - 8;
      if (time & 1) {
        at_x[slot]--;
        if (at_y[slot] < wanted) at_y[slot]++;
        else if (at_y[slot] > wanted) at_y[slot]--;
      }
      if (quick && (time & 3) == 0) at_x[slot]--;
      return time & 4 ? SPRITE_WASP_1 : SPRITE_WASP_0;
    }
    case BAT:
      at_x[slot] -= (time & 1) + quick;
      at_y[slot] = home_y[slot] + wave[time & 63];
      return time & 8 ? SPRITE_BAT_1 : SPRITE_BAT_0;
    default: /* FALLING */
      if (parameter[slot]) {
        at_y[slot] += 2;
        if (at_y[slot] > GROUND_Y - 14) become_spark(slot);
      } else {
        u16 ahead = at_x[slot] - (fly_x >> 4);
        if (ahead < 26) parameter[slot] = 1;
        if (time & 2) return SPRITE_FALLER;
      }
      return SPRITE_FALLER;
  }
}

static void draw_thread(u8 x, u8 y) {
  u8 top = 16;
  put_attributes = 0;
  while (top + 12 < y) {
    put_object(x - 32 + 4, top, SPRITE_THREAD);
    top += 16;
  }
}

static u8 near(u8 a, u8 b, u8 reach) {
  u8 gap = a - b;
  if (gap > 127) gap = -gap;
  return gap < reach;
}

void move_creatures(void) {
  u8 i, fly_left = (u8)((fly_x >> 4) - camera) + 32;
  u8 fly_top = (u8)(fly_y >> 4);
  u8 bob = (u8)game.frame & 32 ? 1 : 0;
  spawn();
  for (i = 0; i < SLOTS; i++) {
    u8 which = kind[i];
    u16 relative;
    u8 x, y, tile;
    if (which == FREE) continue;
    relative = at_x[i] + 32 - camera;
    if (relative > 0x8000 || relative < 8) {
      kind[i] = FREE;
      continue;
    }
    if (relative > 250) continue;
    x = (u8)relative;
    put_attributes = 0x10;
    switch (which) {
      case FRUIT:
        tile = SPRITE_FRUIT;
        put_attributes = 0;
        y = at_y[i] + bob;
        if (near(x + 8, fly_left, 19) && near(y + 8, fly_top, 16)) eat(i);
        break;
      case HEART_DROP:
        tile = SPRITE_HEART;
        y = at_y[i] + bob;
        if (near(x + 8, fly_left, 19) && near(y + 8, fly_top, 16)) {
          if (game.hearts < HEARTS_FULL) game.hearts++;
          play_effect(EFFECT_CHECKPOINT);
          become_spark(i);
        }
        break;
      case FLAG:
        y = at_y[i];
        if (x + 8 < fly_left) raise_flag(i);
        tile = parameter[i] <= game.section ? SPRITE_FLAG_1 : SPRITE_FLAG_0;
        put_attributes = 0;
        break;
      case SPARK:
        tile = SPRITE_SPARKLE;
        y = at_y[i];
        if (++clock[i] > 16) kind[i] = FREE;
        put_attributes = 0;
        put_object(x - 28 + (clock[i] >> 1), y - (clock[i] >> 1), tile);
        put_object(x - 28 - (clock[i] >> 1), y + 20, tile);
        continue;
      default:
        tile = move_animal(i);
        y = at_y[i];
        if (tile == 0) continue;
        put_attributes = which == WASP || which == BIRD ? 0x10 : 0;
        if (which == SPIDER) draw_thread(x, y + BAR_HEIGHT);
        if (which == FALLING) {
          put_object(x - 28, y + BAR_HEIGHT, tile);
          if (near(x + 8, fly_left, 10) && near(y + 7, fly_top, 12)) hurt_fly();
          continue;
        }
        if (which == SPIDER) put_attributes = 0;
        if (near(x + 8, fly_left, 14) && near(y + 8, fly_top, 11)) {
          if (dash_timer) {
            game.score += 5;
            play_effect(EFFECT_BONK);
            become_spark(i);
          } else hurt_fly();
        }
    }
    put_tile = tile;
    put_wide(x, y + BAR_HEIGHT);
  }
}

void reset_weather(void) {
  u8 i;
  for (i = 0; i < PARTICLES; i++) {
    particle_x[i] = random_byte();
    particle_y[i] = (random_byte() & 127) + 16;
  }
}

/* Leaves ride every gust; rain and snow belong to their orchards. */
void draw_weather(void) {
  u8 i, tile, across, down;
  if (game.gust_timer || weather == WEATHER_LEAVES) {
    tile = SPRITE_LEAF;
    across = game.gust_timer ? 4 : wind < 0 ? 0xfe : 2;
    down = 1;
  } else if (weather == WEATHER_RAIN) {
    tile = SPRITE_RAIN;
    across = 0xff;
    down = 4;
  } else if (weather == WEATHER_SNOW) {
    tile = SPRITE_SNOW;
    across = (u8)game.frame & 64 ? 1 : 0xff;
    down = 1;
  } else return;
  put_attributes = 0x10;
  for (i = 0; i < PARTICLES; i++) {
    particle_x[i] += across + (i & 1 ? across : 0);
    particle_y[i] += down;
    if (particle_y[i] > 126) {
      particle_y[i] = 18;
      particle_x[i] = random_byte();
    }
    if (particle_x[i] < 160) put_object(particle_x[i], particle_y[i], tile);
  }
}
