import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The browser the tests drive, or null when this machine has none. */
export function findChromium(): string | null {
  const candidates = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  const fixed = candidates.find((path) => path !== undefined && existsSync(path));
  if (fixed !== undefined) return fixed;
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v google-chrome'], { encoding: 'utf8' }).trim();
  } catch {
    return null; // neither is on the PATH
  }
}
