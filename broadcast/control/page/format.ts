/** `02:09:06`; hours grow as needed. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(whole / 3_600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}

/** Time of day in UTC, `14:26:44`. */
export function formatUtc(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(11, 19);
}

/** Thousands with commas, whatever the browser's language: the stage writes them the same way. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `512 kB`, `6.8 GB`; decimal units as disks have them. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]!}`;
}

/** `--` for what is not known; zero is a number. */
export function formatKnown(value: number | null, digits: number, unit = ''): string {
  return value === null || !Number.isFinite(value) ? '--' : `${value.toFixed(digits)}${unit}`;
}

/** `15.8 ms`, from a second on `1.53 s`; `-- ms` when not known. @param digits of the milliseconds */
export function formatMs(ms: number | null, digits: number): string {
  return ms !== null && Number(ms.toFixed(digits)) >= 1_000
    ? `${(ms / 1_000).toFixed(2)} s`
    : `${formatKnown(ms, digits)} ms`;
}

/** In the largest whole unit: `3 s`, `12 min`, `5 h`. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  return whole < 3_600 ? `${Math.floor(whole / 60)} min` : `${formatCount(Math.floor(whole / 3_600))} h`;
}
