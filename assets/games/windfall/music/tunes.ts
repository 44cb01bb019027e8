import type { Tune } from './compile-tune.ts';

/** All tunes, in the order the cartridge numbers them: four for the orchards, the title, the clear. */
export const TUNES: readonly Tune[] = [
  {
    name: 'ORCHARD_LANE',
    tempo: 8,
    loops: true,
    leadInstrument: 0,
    lead: `e5:2 g5:1 e5:1 c5:2 d5:2 | f5:2 a5:1 f5:1 c5:2 a4:2 | g5:2 b5:1 g5:1 d5:2 f5:2 | e5:3 d5:1 c5:2 g4:2 |
      a5:2 g5:1 e5:1 c5:2 e5:2 | f5:2 e5:1 f5:1 a5:2 c6:2 | b5:2 a5:1 g5:1 f5:1 d5:1 b4:2 | c5:4 -:2 g4:2 |
      c5:1 d5:1 e5:2 g5:2 e5:2 | a5:3 g5:1 f5:2 e5:2 | d5:1 e5:1 f5:2 a5:2 f5:2 | g5:4 -:2 g5:1 a5:1 |
      b5:2 g5:2 d5:2 g5:2 | c6:2 a5:1 e5:1 c5:2 e5:2 | d5:2 f5:1 e5:1 d5:2 b4:2 | c5:2 e5:1 g5:1 c6:2 -:2`,
    chords: ['C', 'F', 'G', 'C', 'Am', 'F', 'G', 'C', 'C', 'F', 'Dm', 'G', 'G', 'Am', 'G', 'C'],
    harmony: '0212.212',
    bass: '0..02.2.',
    drums: 'k.h.s.hh',
  },
  {
    name: 'ROUND_THE_POND',
    tempo: 9,
    loops: true,
    leadInstrument: 1,
    lead: `d5:3 e5:1 f5:2 a5:2 | g5:2 f5:1 e5:1 d5:4 | c5:3 d5:1 e5:2 g5:2 | a5:4 -:2 a5:1 g5:1 |
      f5:2 a5:2 d6:2 a5:2 | c6:2 a5:1 g5:1 f5:2 e5:2 | d5:1 e5:1 f5:1 g5:1 a5:2 c#5:2 | d5:4 -:4 |
      a5:2 g5:2 f5:2 e5:2 | f5:1 g5:1 a5:2 f5:2 d5:2 | g5:2 f5:2 e5:2 c5:2 | e5:1 f5:1 g5:2 e5:4 |
      d6:3 c6:1 a5:2 f5:2 | g5:2 a5:1 g5:1 f5:2 d5:2 | e5:2 g5:2 c#5:2 e5:2 | d5:4 a4:2 -:2`,
    chords: ['Dm', 'Gm', 'C', 'F', 'Dm', 'F', 'A', 'Dm', 'F', 'Dm', 'C', 'C', 'Dm', 'Gm', 'A', 'Dm'],
    harmony: '0123.321',
    bass: '0.0.2..2',
    drums: 'k..hs.h.',
  },
  {
    name: 'WASP_WEATHER',
    tempo: 6,
    loops: true,
    leadInstrument: 0,
    lead: `a5:1 a5:1 c6:1 a5:1 e5:2 a5:2 | g5:1 g5:1 b5:1 g5:1 d5:2 g5:2 | f5:1 f5:1 a5:1 f5:1 c5:2 f5:2 | e5:2 f5:1 e5:1 d#5:1 e5:1 g#5:2 |
      a5:2 e5:1 a5:1 c6:2 e6:2 | d6:2 b5:1 g5:1 d5:2 g5:2 | c6:1 b5:1 a5:1 g5:1 f5:2 a5:2 | g#5:2 b5:2 e5:4 |
      c6:3 b5:1 a5:2 e5:2 | d6:3 c6:1 b5:2 g5:2 | e6:2 d6:1 c6:1 a5:2 f5:2 | b5:2 g#5:2 e5:4 |
      a5:1 b5:1 c6:1 d6:1 e6:2 c6:2 | b5:1 c6:1 d6:1 b5:1 g5:4 | f5:1 g5:1 a5:1 c6:1 b5:1 a5:1 g#5:2 | a5:4 -:4`,
    chords: ['Am', 'G', 'F', 'E', 'Am', 'G', 'F', 'E', 'Am', 'G', 'F', 'E', 'Am', 'G', 'E', 'Am'],
    harmony: '02102101',
    bass: '00200302',
    drums: 'khshkhsh',
  },
  {
    name: 'NIGHT_AND_FROST',
    tempo: 9,
    loops: true,
    leadInstrument: 3,
    lead: `e5:4 b5:4 | a5:3 g5:1 f#5:4 | g5:4 d6:4 | c6:2 b5:2 a5:2 f#5:2 | e5:2 g5:2 b5:2 e6:2 | d6:3 c6:1 b5:4 |
      a5:2 c6:2 b5:2 f#5:2 | e5:6 -:2 | g5:2 f#5:1 g5:1 b5:4 | a5:2 g5:1 a5:1 c6:4 | b5:2 d6:2 g6:2 d6:2 | f#5:2 a5:2 b5:2 d#5:2 |
      e5:2 b4:1 e5:1 g5:2 b5:2 | c6:2 g5:1 c6:1 e6:4 | d6:1 c6:1 b5:2 a5:2 f#5:2 | e5:4 e6:2 -:2`,
    chords: ['Em', 'D', 'G', 'D', 'Em', 'G', 'B', 'Em', 'Em', 'C', 'G', 'B', 'Em', 'C', 'D', 'Em'],
    harmony: '0.2.3.2.',
    bass: '0...2...',
    drums: 'k...h...',
  },
  {
    name: 'TITLE',
    tempo: 7,
    loops: true,
    leadInstrument: 0,
    lead: `g5:2 c6:2 e6:2 d6:1 c6:1 | a5:2 c6:2 f6:2 e6:1 d6:1 | b5:2 d6:2 g6:2 f6:1 e6:1 | e6:2 c6:2 g5:4 |
      g5:1 a5:1 c6:1 d6:1 e6:2 c6:2 | f6:2 e6:1 d6:1 c6:2 a5:2 | b5:1 c6:1 d6:1 b5:1 g5:2 d6:2 | c6:4 -:4`,
    chords: ['C', 'F', 'G', 'C', 'Am', 'F', 'G', 'C'],
    harmony: '01232321',
    bass: '0.0.2.2.',
    drums: 'k.hhs.hh',
  },
  {
    name: 'CLEAR',
    tempo: 6,
    loops: false,
    leadInstrument: 0,
    lead: 'c5:1 e5:1 g5:1 c6:1 e6:2 c6:1 e6:1 | f6:2 e6:1 d6:1 e6:1 c6:1 d6:2 | c6:6 -:2',
    chords: ['C', 'F', 'C'],
    harmony: '01230123',
    bass: '0.2.0.2.',
    drums: 'k.s.k.ss',
  },
];
