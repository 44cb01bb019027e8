/** `38m`, `3h 40m`, `2d 4h`, `45s`: two units at most, for a label that is read at a glance (spec: show.md 27). */
export function compactDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor(whole / 3_600) % 24;
  const minutes = Math.floor(whole / 60) % 60;
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${String(minutes).padStart(2, '0')}m`;
  if (minutes > 0) return `${minutes}m`;
  return `${whole}s`;
}

/** Run clock `HH:MM:SS`; hours go on past 99 (spec: show.md 31). */
export function runClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3_600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Day of the run, from 1 (spec: show.md 31). */
export function runDay(seconds: number): number {
  return Math.floor(Math.max(0, seconds) / 86_400) + 1;
}
