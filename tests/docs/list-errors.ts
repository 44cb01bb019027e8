import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['bin', 'broadcast', 'config', 'engine', 'scenes', 'systems'];
const KINDS: Readonly<Record<string, string>> = {
  ConfigError: 'the operator corrects a flag, file or environment variable; exit code 2',
  DataError: 'a file does not match what it should be; it is refused and nothing has changed; exit code 1',
  DeviceError: 'a core, encoder, disk or socket failed; it is restarted or the next candidate is taken',
  InvariantError: 'a bug of ours; the epoch is fenced and the group restored',
};

/** The page `docs/errors.md`: every stable error code, its class and the files that raise it. */
export function errorPage(): string {
  const found = new Map<string, { kind: string; files: Set<string> }>();
  for (const file of FOLDERS.flatMap(sources)) {
    const text = readFileSync(file, 'utf8');
    for (const [, kind, code] of text.matchAll(/new (\w+Error)\(\s*'([A-Z][A-Z0-9_]+)'/g)) {
      const entry = found.get(code!) ?? { kind: kind!, files: new Set<string>() };
      entry.files.add(file);
      found.set(code!, entry);
    }
  }
  const rows = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '# Error codes',
    '',
    'Codes are stable; messages say what (with the values), where, and what to do. This page is made by',
    '`node_modules/.bin/node tests/docs/list-errors.ts > docs/errors.md`; a test compares it with the sources.',
    '',
    ...Object.entries(KINDS).map(([kind, meaning]) => `- **${kind}**: ${meaning}.`),
    '',
    '| Code | Class | Raised in |',
    '| --- | --- | --- |',
    ...rows.map(
      ([code, { kind, files }]) => `| ${code} | ${kind} | ${[...files].map((file) => `\`${file}\``).join(', ')} |`,
    ),
    '',
  ].join('\n');
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (import.meta.main) process.stdout.write(errorPage());
