/* What the parts of the game offer each other. */
#ifndef WINDFALL_H
#define WINDFALL_H

#include "generated.h"
#include "hardware.h"
#include "state.h"

#define FIELD_ROWS 12
#define FIELD_TOP 32      /* field pixel of row 0; the sky strip lies above */
#define GROUND_Y 104      /* field pixel of the ground */
#define BAR_HEIGHT 16
#define FIELD_MAP ((u8 *)0xD000)
#define ENTITIES ((u8 *)0xDD00)

/* main.c */
extern u8 pad, pad_pressed;
u8 random_byte(void);
void wait_frame(void);
void lcd_off(void);

/* orchard.c: the loaded orchard */
extern u8 water_start, hurt_start, solid_start;
extern u8 entity_count, weather, gust_mode, orchard_tune;
extern s8 orchard_wind;
extern u8 orchard_name[9];
extern u8 orchard_palette;
void load_orchard(u8 number);
void load_picture(u8 number);
void show_columns_from(u16 column);
void stream_columns(void);
void animate_water(void);
u8 tile_at(u16 x, u8 y);

/* fly.c: positions in sixteenths of a pixel, field coordinates */
extern u16 fly_x, camera;
extern u16 fly_y;
extern s8 fly_vx, fly_vy, wind;
extern u8 facing_left, dash_timer, flap_timer;
void place_fly(u16 column);
void move_fly(void);
void hurt_fly(void);
void draw_fly(u8 x, u8 y, u8 attributes, u8 pose);

/* creatures.c */
void reset_creatures(u16 from_column);
void move_creatures(void);
void reset_weather(void);
void draw_weather(void);

/* objects.c */
extern u8 *object_next;
void begin_objects(void);
void end_objects(void);
void put_object(u8 x, u8 y, u8 tile);
extern u8 put_tile;
extern u8 put_attributes;
void put_wide(u8 x, u8 y);

/* hud.c */
void draw_bar(void);
void bar_message(const char *text);
void write_text(u8 *target, const char *text);
void write_number(u8 *target, u16 value, u8 digits);

/* screens.c */
void title_screen(void);
void intro_screen(void);
void clear_screen(void);
void retry_screen(void);
void ending_screen(void);

/* sound.c */
void start_tune(u8 number);
void play_effect(u8 number);
void start_sound(void);

#define EFFECT_FLAP 0
#define EFFECT_DASH 1
#define EFFECT_EAT 2
#define EFFECT_HURT 3
#define EFFECT_CHECKPOINT 4
#define EFFECT_SPLASH 5
#define EFFECT_BONK 6
#define EFFECT_GUST 7

#endif
