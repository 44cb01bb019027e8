/** Register values (Pan Docs names): NRx1 duty and NRx2 envelope per instrument. */
export const INSTRUMENTS: readonly { readonly duty: number; readonly envelope: number }[] = [
  { duty: 0x80, envelope: 0xa4 }, // bright lead
  { duty: 0x40, envelope: 0xa5 }, // reedy lead
  { duty: 0x40, envelope: 0x52 }, // plucked chords
  { duty: 0x00, envelope: 0xb6 }, // thin bell
];

/** NR42 and NR43 per drum; number 0 is silence. */
export const DRUMS: readonly { readonly envelope: number; readonly pitch: number }[] = [
  { envelope: 0x00, pitch: 0x00 },
  { envelope: 0x81, pitch: 0x65 }, // kick
  { envelope: 0x31, pitch: 0x11 }, // hat
  { envelope: 0x72, pitch: 0x33 }, // snare
];

/**
 * Eight bytes per effect: frames on pulse 1 (0 none), NR10, NR11, NR12, NR13, NR14, then NR42 (0 none) and NR43.
 * The order is the EFFECT_ numbers of windfall.h.
 */
export const EFFECTS: readonly { readonly name: string; readonly registers: readonly number[] }[] = [
  { name: 'flap', registers: [0, 0, 0, 0, 0, 0, 0x41, 0x22] },
  { name: 'dash', registers: [10, 0x15, 0x40, 0xa1, 0x80, 0x85, 0x62, 0x31] },
  { name: 'eat', registers: [14, 0x16, 0x80, 0xc2, 0x40, 0x87, 0, 0] },
  { name: 'hurt', registers: [26, 0x2d, 0xc0, 0xe3, 0x00, 0x86, 0xa3, 0x5a] },
  { name: 'checkpoint', registers: [30, 0x37, 0x80, 0xd5, 0x60, 0x86, 0, 0] },
  { name: 'splash', registers: [0, 0, 0, 0, 0, 0, 0xb3, 0x42] },
  { name: 'bonk', registers: [12, 0x1b, 0x80, 0xd2, 0xc0, 0x84, 0x82, 0x51] },
  { name: 'gust', registers: [0, 0, 0, 0, 0, 0, 0x9f, 0x32] },
];

/** A soft triangle with a bite, 32 samples of four bits. */
export const WAVE_SHAPE: readonly number[] = [
  0x02, 0x46, 0x8a, 0xce, 0xff, 0xfe, 0xed, 0xcb, 0xa9, 0x87, 0x65, 0x43, 0x21, 0x10, 0x00, 0x01,
];
