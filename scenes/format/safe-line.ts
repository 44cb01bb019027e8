const MAX_CODE_POINTS = 200;
const ASCII_PUNCTUATION = '!"#%&\'()*+,-./:;=?@[]_{}~';
const EXTRA_PUNCTUATION =
  '\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u00a1\u00bf\u00b7\u3001\u3002\u300c\u300d\uff01\uff1f';
const ALLOWED_PUNCTUATION = ASCII_PUNCTUATION + EXTRA_PUNCTUATION;
const LETTER_OR_NUMBER = /[\p{Alphabetic}\p{N}]/u;
const CONTROL = /\p{Cc}/u;
const HOST_LIKE = /[a-z0-9]\.[a-z]{2,}/i;

/**
 * True when a viewer's line may be drawn (spec: twitch.md 32 to 35, checked again at render time by show.md 80). A
 * failing line is dropped whole, never repaired. Never throws.
 */
export function isSafeLine(line: string): boolean {
  const plain = line.normalize('NFC').replace(/[\t\r\n]/g, ' ');
  if (CONTROL.test(plain)) return false;
  const spaced = plain.replace(/\s/gu, ' ');
  let codePoints = 0;
  for (const character of spaced) {
    codePoints++;
    if (character === ' ' || LETTER_OR_NUMBER.test(character) || ALLOWED_PUNCTUATION.includes(character)) continue;
    return false;
  }
  if (spaced.trim() === '' || codePoints > MAX_CODE_POINTS) return false;
  const folded = spaced.toLowerCase();
  return !folded.includes('://') && !folded.includes('www.') && !HOST_LIKE.test(spaced);
}
