import { defaultEncodeOptions } from './encode-options.ts';
import { nvenc } from './nvenc.ts';
import { x264 } from './x264.ts';

/** Which encoders really open here, best first; a refusal says why. Opening is the only proof (broadcast.md 20). */
export async function probeEncoders(): Promise<{ readonly opened: string[]; readonly refused: string[] }> {
  const opened: string[] = [];
  const refused: string[] = [];
  for (const { name, open } of [nvenc, x264]) {
    const result = await open(defaultEncodeOptions(1_280, 720, 30));
    if (result.kind === 'refused') refused.push(`${name}: ${result.cause}`);
    else {
      opened.push(name);
      result.codec.context.freeContext();
    }
  }
  return { opened, refused };
}
