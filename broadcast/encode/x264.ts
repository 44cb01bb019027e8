import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX264 } from 'node-av/constants';
import type { Candidate, Opened } from './open-encoder.ts';
import type { EncodeOptions } from './encode-options.ts';
import { openVideoCodec } from './video-codec.ts';

/** x264's own list, fastest first. Checked here because the library prints its refusal straight to stderr. */
const PRESETS = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower', 'veryslow'];

/** Software H.264 (spec: broadcast.md 22, 23): HRD CBR with filler, no scene-cut keyframes, no zerolatency. */
export const x264: Candidate = { name: 'x264', open: openX264 };

async function openX264(options: EncodeOptions): Promise<Opened> {
  if (!PRESETS.includes(options.x264Preset)) {
    return {
      kind: 'refused',
      cause: 'bad-option',
      detail: `preset=${options.x264Preset} (one of ${PRESETS.join(', ')})`,
    };
  }
  return openVideoCodec('x264', FF_ENCODER_LIBX264, AV_PIX_FMT_YUV420P, options, {
    preset: options.x264Preset,
    profile: 'high',
    sc_threshold: '0',
    'forced-idr': '1',
    'x264-params': 'scenecut=0:nal-hrd=cbr:filler=1:force-cfr=1',
  });
}
