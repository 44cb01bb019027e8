/** What the init segment says about the picture track, as far as finding keyframes needs it. */
export type PreviewTracks = {
  /** Null when the stream has no picture; then every fragment is a place to start. */
  readonly videoTrackId: number | null;
  /** `trex` default of the picture track; used where a fragment states no flags of its own. */
  readonly defaultSampleFlags: number;
};

/** ISO/IEC 14496-12 8.8.3: sample_is_non_sync_sample. */
const NON_SYNC = 0x0001_0000;
const TFHD_BASE_OFFSET = 0x1;
const TFHD_DESCRIPTION = 0x2;
const TFHD_DURATION = 0x8;
const TFHD_SIZE = 0x10;
const TFHD_FLAGS = 0x20;
const TRUN_DATA_OFFSET = 0x1;
const TRUN_FIRST_FLAGS = 0x4;
const TRUN_DURATION = 0x100;
const TRUN_SIZE = 0x200;
const TRUN_FLAGS = 0x400;

/** Reads `moov` of a fragmented MP4 init segment (ISO/IEC 14496-12). Damaged input reads as "no picture track". */
export function readPreviewTracks(init: Uint8Array): PreviewTracks {
  const view = viewOf(init);
  const moov = findBox(view, whole(view), 'moov');
  if (moov === null) return { videoTrackId: null, defaultSampleFlags: 0 };
  const videoTrackId = listBoxes(view, moov, 'trak')
    .filter((trak) => handlerType(view, trak) === 'vide')
    .map((trak) => trackId(view, trak))[0];
  if (videoTrackId === undefined) return { videoTrackId: null, defaultSampleFlags: 0 };
  const mvex = findBox(view, moov, 'mvex');
  const trex = mvex === null ? [] : listBoxes(view, mvex, 'trex');
  const defaults = trex.find((box) => readU32(view, box.start + 4, box.end) === videoTrackId);
  const defaultSampleFlags = defaults === undefined ? 0 : readU32(view, defaults.start + 20, defaults.end);
  return { videoTrackId, defaultSampleFlags };
}

/** True when a decoder that knows only the init segment can start with this fragment. */
export function isKeyframeFragment(fragment: Uint8Array, tracks: PreviewTracks): boolean {
  if (tracks.videoTrackId === null) return true;
  const view = viewOf(fragment);
  const moof = findBox(view, whole(view), 'moof');
  if (moof === null) return false;
  for (const traf of listBoxes(view, moof, 'traf')) {
    const tfhd = findBox(view, traf, 'tfhd');
    if (tfhd === null || readU32(view, tfhd.start + 4, tfhd.end) !== tracks.videoTrackId) continue;
    const trun = findBox(view, traf, 'trun');
    if (trun === null || readU32(view, trun.start + 4, trun.end) === 0) return false;
    const flags = firstSampleFlags(view, tfhd, trun, tracks.defaultSampleFlags);
    return (flags & NON_SYNC) === 0;
  }
  return false;
}

/** Payload of a box: first byte after its header up to its end, offsets into the segment. */
type Box = { readonly start: number; readonly end: number };

function firstSampleFlags(view: DataView, tfhd: Box, trun: Box, trackDefault: number): number {
  const trunFlags = readU32(view, trun.start, trun.end) & 0xff_ffff;
  let at = trun.start + 8;
  if (trunFlags & TRUN_DATA_OFFSET) at += 4;
  if (trunFlags & TRUN_FIRST_FLAGS) return readU32(view, at, trun.end);
  if (trunFlags & TRUN_FLAGS) {
    if (trunFlags & TRUN_DURATION) at += 4;
    if (trunFlags & TRUN_SIZE) at += 4;
    return readU32(view, at, trun.end);
  }
  const tfhdFlags = readU32(view, tfhd.start, tfhd.end) & 0xff_ffff;
  if (!(tfhdFlags & TFHD_FLAGS)) return trackDefault;
  let defaultAt = tfhd.start + 8;
  if (tfhdFlags & TFHD_BASE_OFFSET) defaultAt += 8;
  if (tfhdFlags & TFHD_DESCRIPTION) defaultAt += 4;
  if (tfhdFlags & TFHD_DURATION) defaultAt += 4;
  if (tfhdFlags & TFHD_SIZE) defaultAt += 4;
  return readU32(view, defaultAt, tfhd.end);
}

function handlerType(view: DataView, trak: Box): string | null {
  const mdia = findBox(view, trak, 'mdia');
  const hdlr = mdia === null ? null : findBox(view, mdia, 'hdlr');
  return hdlr === null || hdlr.start + 12 > hdlr.end ? null : readType(view, hdlr.start + 8);
}

/** `tkhd` version 1 has 64-bit times in front of the id. */
function trackId(view: DataView, trak: Box): number {
  const tkhd = findBox(view, trak, 'tkhd');
  if (tkhd === null || tkhd.start >= tkhd.end) return 0;
  const longTimes = view.getUint8(tkhd.start) === 1;
  return readU32(view, tkhd.start + (longTimes ? 20 : 12), tkhd.end);
}

function findBox(view: DataView, parent: Box, type: string): Box | null {
  return listBoxes(view, parent, type)[0] ?? null;
}

function listBoxes(view: DataView, parent: Box, type: string): Box[] {
  const found: Box[] = [];
  let at = parent.start;
  while (at + 8 <= parent.end) {
    const size32 = view.getUint32(at);
    const isLong = size32 === 1 && at + 16 <= parent.end;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : size32 === 0 ? parent.end - at : size32;
    const start = at + (isLong ? 16 : 8);
    const end = at + size;
    if (end < start || end > parent.end) break; // damaged: nothing behind it can be trusted
    if (readType(view, at + 4) === type) found.push({ start, end });
    at = end;
  }
  return found;
}

function readType(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

/** 0 when the field lies outside its box. */
function readU32(view: DataView, at: number, end: number): number {
  return at + 4 <= end ? view.getUint32(at) : 0;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function whole(view: DataView): Box {
  return { start: 0, end: view.byteLength };
}
