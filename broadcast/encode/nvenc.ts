import { AV_PIX_FMT_NV12, FF_ENCODER_H264_NVENC } from 'node-av/constants';
import type { Candidate, Opened } from './open-encoder.ts';
import type { EncodeOptions } from './encode-options.ts';
import { openVideoCodec } from './video-codec.ts';

/**
 * NVIDIA's encoder (spec: broadcast.md 14 to 17). Opening the session is the probe: a card or a CUDA driver proves
 * nothing, for compute cards have no encode engine (spec: broadcast.md 20).
 */
export const nvenc: Candidate = { name: 'nvenc', open: openNvenc };

/** What every generation of the engine can do. */
const BASIC = {
  preset: 'p4',
  tune: 'hq',
  profile: 'high',
  rc: 'cbr',
  cbr_padding: '1',
  'no-scenecut': '1',
  'forced-idr': '1',
};

/** Better pictures where the card can; older ones refuse the session over any of these. */
const FULL = { ...BASIC, 'rc-lookahead': '15', b_ref_mode: 'middle', 'spatial-aq': '1', 'temporal-aq': '1' };

async function openNvenc(options: EncodeOptions): Promise<Opened> {
  const full = await openVideoCodec('nvenc', FF_ENCODER_H264_NVENC, AV_PIX_FMT_NV12, options, FULL);
  if (full.kind === 'open' || !/not support/i.test(full.detail)) return full;
  return openVideoCodec('nvenc', FF_ENCODER_H264_NVENC, AV_PIX_FMT_NV12, options, BASIC);
}
