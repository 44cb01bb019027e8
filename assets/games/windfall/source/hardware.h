/* Game Boy registers under their hardware names, and the short integer types. */
#ifndef HARDWARE_H
#define HARDWARE_H

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned int u16;
typedef signed int s16;

#define REGISTER(address) (*(volatile u8 *)(address))
#define P1 REGISTER(0xFF00)
#define DIV REGISTER(0xFF04)
#define IF_FLAGS REGISTER(0xFF0F)
#define NR10 REGISTER(0xFF10)
#define NR11 REGISTER(0xFF11)
#define NR12 REGISTER(0xFF12)
#define NR13 REGISTER(0xFF13)
#define NR14 REGISTER(0xFF14)
#define NR21 REGISTER(0xFF16)
#define NR22 REGISTER(0xFF17)
#define NR23 REGISTER(0xFF18)
#define NR24 REGISTER(0xFF19)
#define NR30 REGISTER(0xFF1A)
#define NR31 REGISTER(0xFF1B)
#define NR32 REGISTER(0xFF1C)
#define NR33 REGISTER(0xFF1D)
#define NR34 REGISTER(0xFF1E)
#define NR41 REGISTER(0xFF20)
#define NR42 REGISTER(0xFF21)
#define NR43 REGISTER(0xFF22)
#define NR44 REGISTER(0xFF23)
#define NR50 REGISTER(0xFF24)
#define NR51 REGISTER(0xFF25)
#define NR52 REGISTER(0xFF26)
#define LCDC REGISTER(0xFF40)
#define STAT REGISTER(0xFF41)
#define SCY REGISTER(0xFF42)
#define SCX REGISTER(0xFF43)
#define LY REGISTER(0xFF44)
#define LYC REGISTER(0xFF45)
#define BGP REGISTER(0xFF47)
#define OBP0 REGISTER(0xFF48)
#define OBP1 REGISTER(0xFF49)
#define WY REGISTER(0xFF4A)
#define WX REGISTER(0xFF4B)
#define IE_FLAGS REGISTER(0xFFFF)
#define ROM_BANK REGISTER(0x2000)

#define BACKGROUND_MAP ((u8 *)0x9800)
#define WINDOW_MAP ((u8 *)0x9C00)

/* Buttons as `pad` holds them. */
#define PAD_RIGHT 0x01
#define PAD_LEFT 0x02
#define PAD_UP 0x04
#define PAD_DOWN 0x08
#define PAD_A 0x10
#define PAD_B 0x20
#define PAD_SELECT 0x40
#define PAD_START 0x80

/* Shared with crt0.s: what the vertical blank copies and what the raster split shows. */
extern volatile u8 frame_done;      /* set by every vertical blank */
extern u8 column_pending;           /* 1: copy `column_source` (12 bytes) below `column_target` */
extern u8 *column_source;
extern u8 *column_target;
extern u8 hud_pending;              /* 1: copy both bar rows */
extern u8 hud_rows[40];
extern u8 tile_pending;             /* 1: copy 16 bytes `tile_source` -> `tile_target` */
extern const u8 *tile_source;
extern u8 *tile_target;
extern u8 sky_scroll;               /* SCX of the sky strip */
extern u8 field_scroll;             /* SCX below it */
extern u8 card_shown;               /* 0: bar and split; 1: the window covers the screen; 2: a picture, no window */
extern u16 copy_length;

void copy_bytes(u8 *target, const u8 *source);
void start_interrupts(void);

#endif
