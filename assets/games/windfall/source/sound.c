/* Four channels of notes, called once per vertical blank; effects borrow pulse 1 and noise for a moment. */
#include "windfall.h"

#define REST 0
#define LOOP 0xff
#define STOP 0xfe
#define INSTRUMENT 0xf0

static const u8 *start_at[4];
static const u8 *next_at[4];
static u8 wait_ticks[4];
static u8 instrument[4];
static u8 tempo, tempo_count;
static volatile u8 wanted_tune = 255;
static u8 playing;
static volatile u8 wanted_effect = 255;
static u8 effect_frames, noise_frames;

void start_tune(u8 number) { wanted_tune = number; }
void play_effect(u8 number) { wanted_effect = number; }

void start_sound(void) {
  u8 i;
  NR52 = 0x80;
  NR50 = 0x77;
  NR51 = 0xff;
  NR30 = 0;
  for (i = 0; i < 16; i++) REGISTER(0xFF30 + i) = wave_shape[i];
  NR30 = 0x80;
}

static void load_tune(u8 number) {
  u8 i;
  for (i = 0; i < 4; i++) {
    start_at[i] = next_at[i] = tune_channels[(number << 2) + i];
    wait_ticks[i] = 1;
    instrument[i] = 0;
  }
  tempo = tune_tempos[number];
  tempo_count = 1;
  playing = 1;
}

static void note_on(u8 channel, u8 note) {
  u16 pitch;
  if (channel == 3) {
    if (noise_frames || note == REST) return;
    NR42 = drum_envelopes[note];
    NR43 = drum_pitches[note];
    NR44 = 0x80;
    return;
  }
  pitch = note_pitches[note];
  switch (channel) {
    case 0:
      if (effect_frames) return;
      NR10 = 0;
      if (note == REST) {
        NR12 = 0x00;
        NR14 = 0x80;
        return;
      }
      NR11 = instrument_duties[instrument[0]];
      NR12 = instrument_envelopes[instrument[0]];
      NR13 = (u8)pitch;
      NR14 = 0x80 | (u8)(pitch >> 8);
      return;
    case 1:
      if (note == REST) {
        NR22 = 0x00;
        NR24 = 0x80;
        return;
      }
      NR21 = instrument_duties[instrument[1]];
      NR22 = instrument_envelopes[instrument[1]];
      NR23 = (u8)pitch;
      NR24 = 0x80 | (u8)(pitch >> 8);
      return;
    default:
      if (note == REST) {
        NR32 = 0;
        return;
      }
      NR30 = 0x80;
      NR32 = 0x20;
      NR33 = (u8)pitch;
      NR34 = 0x80 | (u8)(pitch >> 8);
  }
}

static void advance(u8 channel) {
  const u8 *at;
  u8 value;
  if (--wait_ticks[channel]) return;
  at = next_at[channel];
  for (;;) {
    value = *at++;
    if (value == LOOP) {
      at = start_at[channel];
      continue;
    }
    if (value == STOP) {
      at--;
      wait_ticks[channel] = 255;
      if (channel != 3) note_on(channel, REST);
      break;
    }
    if (value >= INSTRUMENT) {
      instrument[channel] = value & 15;
      continue;
    }
    note_on(channel, value);
    wait_ticks[channel] = *at++;
    break;
  }
  next_at[channel] = at;
}

static void start_effect(u8 number) {
  const u8 *effect = effects + ((u16)number << 3);
  if (effect[0]) {
    NR10 = effect[1];
    NR11 = effect[2];
    NR12 = effect[3];
    NR13 = effect[4];
    NR14 = effect[5];
    effect_frames = effect[0];
  }
  if (effect[6]) {
    NR42 = effect[6];
    NR43 = effect[7];
    NR44 = 0x80;
    noise_frames = 14;
  }
}

/* From the vertical blank only. */
void sound_tick(void) {
  u8 i;
  if (wanted_tune != 255) {
    load_tune(wanted_tune);
    wanted_tune = 255;
  }
  if (wanted_effect != 255) {
    start_effect(wanted_effect);
    wanted_effect = 255;
  }
  if (effect_frames && --effect_frames == 0) {
    NR10 = 0;
    NR12 = 0;
    NR14 = 0x80;
  }
  if (noise_frames) noise_frames--;
  if (!playing || --tempo_count) return;
  tempo_count = tempo;
  for (i = 0; i < 4; i++) advance(i);
}
