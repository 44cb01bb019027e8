import { fileURLToPath } from 'node:url';
import { GlobalFonts, Image, createCanvas } from '@napi-rs/canvas';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { DeviceError } from '../../../engine/errors.ts';
import { face } from '../../theme.ts';

export type { Canvas, SKRSContext2D };

/** The bundled faces, straight from their packages (OFL). Nothing is fetched (spec: show.md 138). */
const FONT_FILES: readonly { readonly family: string; readonly specifier: string }[] = [
  { family: face.hero, specifier: '@fontsource/press-start-2p/files/press-start-2p-latin-400-normal.woff2' },
  { family: face.label, specifier: '@fontsource/silkscreen/files/silkscreen-latin-400-normal.woff2' },
  { family: face.body, specifier: '@fontsource/vt323/files/vt323-latin-400-normal.woff2' },
];

let installed: Promise<typeof import('pixi.js')> | null = null;

/**
 * Pixi with a Skia canvas in place of a browser. Called any number of times; sets Pixi up once a process.
 * @throws DeviceError FONT_MISSING when a bundled face does not load
 */
export function loadPixi(): Promise<typeof import('pixi.js')> {
  installed ??= install();
  return installed;
}

/** A canvas of at least 1x1 device px. */
export function newCanvas(width: number, height: number): Canvas {
  return createCanvas(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)));
}

async function install(): Promise<typeof import('pixi.js')> {
  for (const { family, specifier } of FONT_FILES) {
    const path = fileURLToPath(import.meta.resolve(specifier));
    if (GlobalFonts.registerFromPath(path, family) === null) {
      throw new DeviceError('FONT_MISSING', `${family}: ${specifier} did not load. Run npm ci again.`);
    }
  }
  provideGlobals();
  const pixi = await import('pixi.js');
  const context = createCanvas(1, 1).getContext('2d').constructor;
  const navigator = { userAgent: 'node', gpu: null };
  pixi.DOMAdapter.set({
    createCanvas: newCanvas,
    createImage: () => new Image(),
    getCanvasRenderingContext2D: () => context,
    getWebGLRenderingContext: () => Object,
    getNavigator: () => navigator,
    getBaseUrl: () => 'file:///',
    getFontFaceSet: () => null,
    fetch: () => Promise.reject(new DeviceError('STAGE_FETCH', 'the stage loads nothing from a network.')),
    parseXML: () => ({}),
  } as unknown as Parameters<typeof pixi.DOMAdapter.set>[0]);
  return pixi;
}

/** The few browser names Pixi looks up while it is imported. An existing one is left alone. */
function provideGlobals(): void {
  const names: Readonly<Record<string, unknown>> = {
    HTMLCanvasElement: createCanvas(1, 1).constructor,
    requestAnimationFrame: () => 0,
    cancelAnimationFrame: () => undefined,
    document: { body: { contains: () => false }, createElement: () => createCanvas(1, 1) },
  };
  for (const [name, value] of Object.entries(names)) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
