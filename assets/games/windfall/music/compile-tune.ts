/**
 * Turns written tunes into the bytes sound.c plays. Notes read `c5:2` (pitch, octave, ticks), `-:4` is a rest, `|` is
 * for the eye; chords name a bar of the accompaniment, `Am` or `G`.
 */
export type Tune = {
  readonly name: string;
  /** Frames per tick; a bar has eight ticks. */
  readonly tempo: number;
  readonly lead: string;
  readonly chords: readonly string[];
  /** Semitone steps of a broken chord, one per tick: 0 root, 1 third, 2 fifth, 3 octave, `.` rest. */
  readonly harmony: string;
  readonly bass: string;
  /** One letter per tick: k kick, s snare, h hat, `.` nothing. */
  readonly drums: string;
  readonly loops: boolean;
  readonly leadInstrument: number;
};

const REST = 0;
const LOOP = 0xff;
const STOP = 0xfe;
const INSTRUMENT = 0xf0;
const NAMES = ['c', 'c#', 'd', 'd#', 'e', 'f', 'f#', 'g', 'g#', 'a', 'a#', 'b'];
/** Number 1 is C of octave 2. */
const LOWEST_OCTAVE = 2;
/** C2..B2 in hundredths of a hertz, equal temperament, A4 = 440 Hz. */
const OCTAVE_2_CENTIHERTZ = [6541, 6930, 7342, 7778, 8241, 8731, 9250, 9800, 10383, 11000, 11654, 12347];

/** Lead on pulse 1, broken chords on pulse 2, bass on the wave channel, drums on noise. */
export function compileTune(tune: Tune): readonly Uint8Array[] {
  const end = tune.loops ? LOOP : STOP;
  return [
    Uint8Array.of(INSTRUMENT | tune.leadInstrument, ...compileNotes(tune.lead), end),
    Uint8Array.of(INSTRUMENT | 2, ...tune.chords.flatMap((chord) => accompany(chord, tune.harmony, 4)), end),
    Uint8Array.of(INSTRUMENT | 0, ...tune.chords.flatMap((chord) => accompany(chord, tune.bass, 3)), end),
    Uint8Array.of(...tune.chords.flatMap(() => [...tune.drums].flatMap((drum) => ['.khs'.indexOf(drum), 1])), end),
  ];
}

/** Timer reload per note number: pulse channels count 131,072 / (2048 - x) Hz (Pan Docs, NR13). */
export function notePitches(): number[] {
  const pitches = [0];
  for (let octave = 0; octave < 6; octave++) {
    for (const centihertz of OCTAVE_2_CENTIHERTZ) {
      pitches.push(Math.max(0, 2048 - Math.round(13_107_200 / (centihertz * 2 ** octave))));
    }
  }
  return pitches;
}

function compileNotes(text: string): number[] {
  return text
    .split(/[\s|]+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      const match = /^(-|[a-g]#?\d):(\d+)$/.exec(word);
      if (match === null) throw new Error(`tune: cannot read "${word}"`);
      return [match[1] === '-' ? REST : noteNumber(match[1]!), Number(match[2])];
    });
}

function noteNumber(name: string): number {
  const pitch = NAMES.indexOf(name.slice(0, -1));
  return (Number(name.slice(-1)) - LOWEST_OCTAVE) * 12 + pitch + 1;
}

function accompany(chord: string, pattern: string, octave: number): number[] {
  const minor = chord.endsWith('m');
  const root = noteNumber(`${chord.replace('m', '').toLowerCase()}${octave}`);
  const steps = [0, minor ? 3 : 4, 7, 12];
  return [...pattern].flatMap((step) => [step === '.' ? REST : root + steps[Number(step)]!, 1]);
}
