import { expect, test } from 'vitest';
import { formatManifest, parseManifest } from '../../../systems/checkpoint/store-manifest.ts';
import type { StoreManifest } from '../../../systems/checkpoint/store-manifest.ts';

const ROW = {
  checkpointId: 'ckpt-7',
  file: 'ckpt-7.flysess',
  sessionId: 'windfall',
  epoch: 'e1.rb2',
  episodeId: 'episode-1',
  boundary: '18446744073709551615',
  compatibilityDigest: 'a'.repeat(64),
  envelopeDigest: 'b'.repeat(64),
  byteLength: '2500000',
};
const MANIFEST: StoreManifest = { highWater: 'ckpt-7', generations: [ROW] };
const TEXT = new TextDecoder().decode(formatManifest(MANIFEST));
const parse = (text: string): StoreManifest => parseManifest(new TextEncoder().encode(text), 'manifest.json');

test('a list is read back as it was written', () => {
  expect(parse(TEXT)).toEqual(MANIFEST);
});

test('the list has the published fields in canonical order (session.md 17.4)', () => {
  expect(Object.keys(JSON.parse(TEXT) as object)).toEqual([
    'generations',
    'highWater',
    'stateFormatId',
    'storeManifestVersion',
  ]);
  expect(JSON.parse(TEXT)).toMatchObject({ storeManifestVersion: 1, stateFormatId: 'flysess-1' });
});

test.each<[what: string, text: string]>([
  ['another version', TEXT.replace('"storeManifestVersion":1', '"storeManifestVersion":2')],
  ['another state format', TEXT.replace('flysess-1', 'flysim-1')],
  ['a high-water mark that names nothing', TEXT.replace('"highWater":"ckpt-7"', '"highWater":"ckpt-8"')],
  ['a high-water mark that is no text', TEXT.replace('"highWater":"ckpt-7"', '"highWater":7')],
  ['a row without a digest', TEXT.replace(/"envelopeDigest":"[^"]*",/, '')],
  ['a row with an unknown field', TEXT.replace('"epoch"', '"colour":"red","epoch"')],
  ['a file outside its folder', TEXT.replace('"ckpt-7.flysess"', '"../ckpt-7.flysess"')],
  ['a boundary that is no U64', TEXT.replace('18446744073709551615', '18446744073709551616')],
  ['a byte length that is a number', TEXT.replace('"2500000"', '2500000')],
  ['a checkpoint listed twice', TEXT.replace(/\[(\{.*\})\]/, '[$1,$1]')],
  ['an unknown field', TEXT.replace('"highWater"', '"extra":0,"highWater"')],
  ['a missing field', TEXT.replace('"highWater":"ckpt-7",', '')],
  ['other spelling', TEXT.replace(':', ': ')],
  ['half a file', TEXT.slice(0, 100)],
  ['nothing', ''],
])('PER-13 a list with %s is a failure, never an empty store (session.md 17.4)', (_what, text) => {
  expect(text).not.toBe(TEXT);
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'STORE_MANIFEST' }));
  expect(() => parse(text)).toThrow(/manifest\.json/);
});
