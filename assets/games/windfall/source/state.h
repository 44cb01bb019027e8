/*
 * Everything an observer may know about the game, at fixed addresses from C100 on. The same table is kept in
 * systems/task/windfall/memory-map.ts; change both together and raise STATE_VERSION.
 */
#ifndef STATE_H
#define STATE_H

#include "hardware.h"

#define STATE_VERSION 1

#define MODE_BOOT 0
#define MODE_TITLE 1
#define MODE_INTRO 2
#define MODE_PLAYING 3
#define MODE_CAUGHT 4
#define MODE_GAME_OVER 5
#define MODE_CLEAR 6
#define MODE_ENDING 7

#define ORCHARDS 8
#define HEARTS_FULL 3
#define LIVES_FULL 3

typedef struct {
  u8 magic[2];       /* C100 'W','F' once the game runs */
  u8 version;        /* C102 */
  u8 busy;           /* C103 1 while a frame's logic is still changing the block */
  u8 mode;           /* C104 */
  u8 round;          /* C105 0 first time through */
  u8 orchard;        /* C106 0..7 */
  u8 section;        /* C107 0..3, checkpoint tree passed last */
  u8 hearts;         /* C108 0..3 */
  u8 lives;          /* C109 retries left in this orchard */
  u16 column;        /* C10A column of the fly, 8 pixels each */
  u16 furthest;      /* C10C furthest column since the orchard began */
  u16 columns;       /* C10E columns of the orchard */
  u16 fruit_total;   /* C110 since power-on */
  u16 deaths;        /* C112 since power-on */
  u16 score;         /* C114 in tens */
  u8 fruit;          /* C116 eaten in this orchard */
  u8 fly_x;          /* C117 centre on the screen */
  u8 fly_y;          /* C118 */
  u8 on_ground;      /* C119 */
  u8 hurt_timer;     /* C11A frames */
  u8 timer;          /* C11B seconds until a gust comes by itself */
  u8 gust_timer;     /* C11C frames of gust left */
  u8 cleared;        /* C11D orchards cleared in this round */
  u8 endings;        /* C11E */
  u8 overruns;       /* C11F frames whose logic took longer than a frame, wraps */
  u16 frame;         /* C120 */
  u16 rng;           /* C122 */
  u16 checkpoint;    /* C124 column a retry starts from */
  u8 eaten[8];       /* C126 bit per fruit of this orchard */
} State;

#define game (*(State *)0xC100)

#endif
