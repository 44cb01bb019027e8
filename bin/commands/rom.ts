import { basename } from 'node:path';
import { listShows, loadShow } from '../../config/load-config.ts';
import { DataError } from '../../engine/errors.ts';
import { describeRom } from '../../systems/environment/gameboy/describe-rom.ts';
import { resolveHome } from '../home.ts';
import { loadTask } from '../live/compose-session.ts';

/** Says what a ROM is and which shows can run it. Fails when it is nothing this program plays. */
export async function romCommand(file: string): Promise<void> {
  const rom = await describeRom(file);
  const facts: [string, string][] = [
    ['file', `${basename(rom.path)}, ${rom.fileBytes.toLocaleString('en')} bytes`],
    ['SHA-256', rom.sha256 ?? 'not computed: too large for a cartridge'],
  ];
  if (rom.cartridge !== null) {
    const { title, mapper, ramBytes, colour, battery } = rom.cartridge;
    facts.push(['title', title], ['platform', `Game Boy (colour: ${colour})`]);
    facts.push(['mapper', `${mapper}${battery ? ', battery' : ''}, ${ramBytes.toLocaleString('en')} bytes of RAM`]);
    facts.push(['shows', (await showsFor(rom.sha256)).join(', ') || 'none of config/shows knows it']);
  }
  for (const [name, value] of facts) process.stdout.write(`${name.padEnd(10)}${value}\n`);
  for (const warning of rom.warnings) process.stdout.write(`warning   ${warning}\n`);
  if (rom.refusal !== null) throw new DataError(rom.refusal.code, rom.refusal.message);
}

async function showsFor(sha256: string | null): Promise<string[]> {
  const names: string[] = [];
  const { root } = resolveHome(process.env);
  for (const name of await listShows(root)) {
    const show = await loadShow(name, root);
    const task = await loadTask(show.task.name);
    if (sha256 !== null && task.contentDigests?.includes(sha256) === true) names.push(name);
  }
  return names;
}
