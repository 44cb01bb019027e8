/**
 * The type a browser's MediaSource needs: `avc1.PPCCLL` from the sequence parameter set, and AAC-LC.
 * @param extradata Annex B: start codes, then SPS and PPS
 * @returns null when there is no SPS in it
 */
export function mimeTypeOf(extradata: Uint8Array): string | null {
  for (let i = 0; i + 6 < extradata.length; i++) {
    if (extradata[i] !== 0 || extradata[i + 1] !== 0 || extradata[i + 2] !== 1) continue;
    if ((extradata[i + 3]! & 0x1f) !== 7) continue;
    const profile = [extradata[i + 4]!, extradata[i + 5]!, extradata[i + 6]!];
    const hex = profile.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `video/mp4; codecs="avc1.${hex}, mp4a.40.2"`;
  }
  return null;
}
