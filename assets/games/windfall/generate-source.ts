import { drawSprites } from './art/sprites.ts';
import { drawBarTiles } from './art/tiles.ts';
import { compileTune, notePitches } from './music/compile-tune.ts';
import { DRUMS, EFFECTS, INSTRUMENTS, WAVE_SHAPE } from './music/instruments.ts';
import { TUNES } from './music/tunes.ts';
import { FIRST_FIELD_TILE, concatenate, encodeBackground, encodeSprite } from './pack-orchard.ts';

type Place = { readonly bank: number; readonly address: number };

/** The C tables the program includes: sprite and bar tiles, tunes, effects and where the banks hold what. */
export function generateSource(
  orchards: readonly Place[],
  pictures: readonly Place[],
): { header: string; source: string } {
  const sprites = drawSprites().map(({ name, picture }) => ({ name, bytes: encodeSprite(picture) }));
  const names: string[] = [];
  let tile = 0;
  for (const { name, bytes } of sprites) {
    names.push(`#define SPRITE_${name} ${tile}`);
    tile += bytes.byteLength / 16;
  }
  names.push(`#define SPRITE_FRUIT ${tile}`);
  tile += 4;
  if (tile > 128) throw new Error(`windfall: ${tile} sprite tiles; video memory has 128 for them`);
  TUNES.forEach(({ name }, i) => names.push(`#define TUNE_${name} ${i}`));
  const tables: { type: string; name: string; values: readonly (number | string)[] }[] = [
    { type: 'u8', name: 'hud_tiles', values: [...concatenate(drawBarTiles().map(encodeBackground))] },
    { type: 'u8', name: 'sprite_tiles', values: [...concatenate(sprites.map(({ bytes }) => bytes))] },
    { type: 'u8', name: 'orchard_banks', values: orchards.map(({ bank }) => bank) },
    { type: 'u8 *', name: 'orchard_addresses', values: orchards.map(({ address }) => `(const u8 *)${address}`) },
    { type: 'u8', name: 'picture_banks', values: pictures.map(({ bank }) => bank) },
    { type: 'u8 *', name: 'picture_addresses', values: pictures.map(({ address }) => `(const u8 *)${address}`) },
    { type: 'u16', name: 'note_pitches', values: notePitches() },
    { type: 'u8', name: 'instrument_duties', values: INSTRUMENTS.map(({ duty }) => duty) },
    { type: 'u8', name: 'instrument_envelopes', values: INSTRUMENTS.map(({ envelope }) => envelope) },
    { type: 'u8', name: 'drum_envelopes', values: DRUMS.map(({ envelope }) => envelope) },
    { type: 'u8', name: 'drum_pitches', values: DRUMS.map(({ pitch }) => pitch) },
    { type: 'u8', name: 'effects', values: EFFECTS.flatMap(({ registers }) => registers) },
    { type: 'u8', name: 'wave_shape', values: WAVE_SHAPE },
    { type: 'u8', name: 'tune_tempos', values: TUNES.map(({ tempo }) => tempo) },
  ];
  const channels = TUNES.flatMap((tune, i) =>
    compileTune(tune).map((bytes, channel) => ({ type: 'u8', name: `tune_${i}_${channel}`, values: [...bytes] })),
  );
  const declare = ({ type, name, values }: (typeof tables)[number]): string =>
    `const ${type}${type.endsWith('*') ? 'const ' : ' '}${name}[${values.length}]`;
  const every = [...tables, ...channels];
  const pointers = { type: 'u8 *', name: 'tune_channels', values: channels.map(({ name }) => name) };
  const header = [
    '#ifndef GENERATED_H',
    '#define GENERATED_H',
    '#include "hardware.h"',
    `#define FIRST_FIELD_TILE ${FIRST_FIELD_TILE}`,
    '#define WEATHER_LEAVES 1',
    '#define WEATHER_RAIN 2',
    '#define WEATHER_SNOW 3',
    ...names,
    ...[...tables, pointers].map((table) => `extern ${declare(table)};`),
    '#endif',
    '',
  ].join('\n');
  const source = [
    '#include "generated.h"',
    ...[...every, pointers].map((table) => `${declare(table)} = {${table.values.join(',')}};`),
    '',
  ].join('\n');
  return { header, source };
}
