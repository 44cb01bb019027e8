import { readFile, readdir } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';

export type PageFile = { readonly contentType: string; readonly body: Buffer };

const PAGE_FOLDER: URL = new URL('./page/', import.meta.url);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
};

/** Name under `/page/fonts/` -> package file. All OFL, see the packages' LICENSE. */
const FONTS: Readonly<Record<string, string>> = {
  'plex-sans-400.woff2': '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2',
  'plex-sans-600.woff2': '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2',
  'plex-mono-400.woff2': '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2',
  'plex-mono-600.woff2': '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-600-normal.woff2',
  'press-start-2p.woff2': '@fontsource/press-start-2p/files/press-start-2p-latin-400-normal.woff2',
};

/**
 * Everything the console page consists of, by its path below `/page/`. Read once: a request can only name what is in
 * this map, so no path ever reaches the disk. TypeScript modules are served with their types blanked out.
 */
export async function loadPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const name of (await readdir(PAGE_FOLDER)).sort()) {
    const extension = name.slice(name.lastIndexOf('.'));
    const contentType = CONTENT_TYPES[extension];
    if (contentType === undefined) continue;
    const source = await readFile(new URL(name, PAGE_FOLDER), 'utf8');
    const body = extension === '.ts' ? stripTypeScriptTypes(source, { mode: 'strip' }) : source;
    files.set(name, { contentType, body: Buffer.from(body) });
  }
  const { resolve } = createRequire(import.meta.url);
  for (const [name, path] of Object.entries(FONTS)) {
    files.set(`fonts/${name}`, { contentType: 'font/woff2', body: await readFile(resolve(path)) });
  }
  return files;
}
