/** Theme T1 (spec: show.md 139, mockups "Palette"). 0xRRGGBB. One meaning a colour (show.md 140). */
export const colour = {
  background: 0x0b0e12,
  grid: 0x131820,
  panel: 0x1e232a,
  bezel: 0x4a5460,
  ink: 0xc9d1c8,
  secondInk: 0x8d968f,
  motor: 0xf0a72e,
  sensory: 0x4fc3f7,
  dopamine: 0xf472a8,
  kenyon: 0xb0708a,
  internal: 0x8a8f8c,
  ok: 0x58d68d,
  warn: 0xffc14d,
  alarm: 0xff5a4d,
  warm: 0xff7a3c,
} as const;

export type FaceName = 'hero' | 'label' | 'body';

/** Font families as registered by the renderer; sizes are design px at 1080 (show.md 126, 138; mockups "Type"). */
export const face: Readonly<Record<FaceName, string>> = {
  hero: 'Press Start 2P',
  label: 'Silkscreen',
  body: 'VT323',
};

/** A face at one size. `capPx` is the height of a capital and `ascentPx` the distance from the top to the baseline. */
export type TextStyle = { readonly face: FaceName; readonly sizePx: number };

export type TextName = 'hero' | 'scene' | 'caption' | 'label' | 'smallLabel' | 'body' | 'fine';

export const text: Readonly<Record<TextName, TextStyle>> = {
  hero: { face: 'hero', sizePx: 27 },
  scene: { face: 'hero', sizePx: 54 },
  caption: { face: 'hero', sizePx: 40 },
  label: { face: 'label', sizePx: 32 },
  smallLabel: { face: 'label', sizePx: 24 },
  body: { face: 'body', sizePx: 32 },
  fine: { face: 'body', sizePx: 24 },
};

/** Height of a capital as a part of the size, from the three faces' own outlines (7/8, 5/8 and 9/16 em). */
export const capHeight: Readonly<Record<FaceName, number>> = { hero: 7 / 8, label: 5 / 8, body: 9 / 16 };

/** Top of a capital above the baseline, same unit; Press Start 2P stands 1/8 em above its baseline. */
export const capAscent: Readonly<Record<FaceName, number>> = { hero: 1, label: 5 / 8, body: 9 / 16 };

/** Colour `a` moved towards `b` by `part` (0..1), channel by channel. */
export function mix(a: number, b: number, part: number): number {
  const channel = (shift: number): number => {
    const from = (a >> shift) & 255;
    return Math.round(from + (((b >> shift) & 255) - from) * part) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}
