import { expect, test } from 'vitest';
import { defaultEncodeOptions } from '../../../broadcast/encode/encode-options.ts';
import type { Candidate, Opened } from '../../../broadcast/encode/open-encoder.ts';
import { allowedCandidates, openEncoder } from '../../../broadcast/encode/open-encoder.ts';
import { nvenc } from '../../../broadcast/encode/nvenc.ts';
import { classifyRefusal } from '../../../broadcast/encode/video-codec.ts';
import { x264 } from '../../../broadcast/encode/x264.ts';

const OPTIONS = { ...defaultEncodeOptions(320, 180, 30), x264Preset: 'ultrafast' };

test('a machine without NVENC gets x264; a bad option gets an error, never another encoder (rule 28, 150)', async () => {
  const noDriver = refusing('nvenc', 'no-driver', 'Cannot load libcuda.so.1');
  const opened = await openEncoder(OPTIONS, [noDriver, x264]);
  expect(opened.name).toBe('x264');
  opened.context.freeContext();
  const badOption = refusing('nvenc', 'bad-option', 'preset=p9');
  await expect(openEncoder(OPTIONS, [badOption, x264])).rejects.toMatchObject({ code: 'ENCODER_OPTION' });
});

test('when nothing opens, every refusal is named', async () => {
  const both = [refusing('nvenc', 'no-session', 'out of memory'), refusing('x264', 'no-driver', 'not in this build')];
  await expect(openEncoder(OPTIONS, both)).rejects.toMatchObject({
    code: 'ENCODER_NONE',
    message: expect.stringMatching(/nvenc: no-session \(out of memory\); x264: no-driver/) as string,
  });
});

test('an x264 preset that does not exist is a bad option', async () => {
  await expect(openEncoder({ ...OPTIONS, x264Preset: 'warp' }, [x264])).rejects.toMatchObject({
    code: 'ENCODER_OPTION',
    message: expect.stringContaining('preset=warp') as string,
  });
});

test('NVENC is proven by opening a session; where there is none the refusal says which kind (rule 20)', async () => {
  const opened = await nvenc.open({ ...OPTIONS, widthPx: 640, heightPx: 360 });
  if (opened.kind === 'open') opened.codec.context.freeContext();
  else expect(['no-driver', 'no-session']).toContain(opened.cause);
});

test('the choice decides which encoders may be tried', () => {
  const names = (encoder: 'auto' | 'x264' | 'nvenc'): string[] =>
    allowedCandidates({ ...OPTIONS, encoder }, [nvenc, x264]).map((candidate) => candidate.name);
  expect(names('auto')).toEqual(['nvenc', 'x264']);
  expect(names('x264')).toEqual(['x264']);
  expect(names('nvenc')).toEqual(['nvenc']);
});

test.each([
  ['OpenEncodeSessionEx failed: out of memory (10)', 'no-session'],
  ['No capable devices found', 'no-session'],
  ['OpenEncodeSessionEx failed: unsupported device (2): (no details)', 'no-session'], // a compute card (rule 20)
  ['B frames as references are not supported', 'no-session'],
  ['InitializeEncoder failed: invalid param', 'no-session'],
  ['Cannot load libnvidia-encode.so.1', 'no-driver'],
  ['Driver does not support the required nvenc API version', 'no-driver'],
  ['cuInit failed -> CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected', 'no-driver'],
  ['Unable to parse "preset" option value "zork"', 'bad-option'],
] as const)('"%s" is read as %s (broadcast.md 27)', (line, cause) => {
  expect(classifyRefusal(line)).toBe(cause);
});

function refusing(name: 'nvenc' | 'x264', cause: 'no-driver' | 'no-session' | 'bad-option', detail: string): Candidate {
  return { name, open: () => Promise.resolve<Opened>({ kind: 'refused', cause, detail }) };
}
