/** UTC `YYYYMMDD-HHMMSS` of the first picture (spec: broadcast.md 67); `copy` above 1 tells two of one second apart. */
export function segmentName(startUnixMs: number, copy: number): string {
  const iso = new Date(startUnixMs).toISOString();
  const stamp = `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}`;
  return copy <= 1 ? `${stamp}.ts` : `${stamp}-${copy}.ts`;
}
