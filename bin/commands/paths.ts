import { resolveHome } from '../home.ts';

export function pathsCommand(): void {
  for (const [name, path] of Object.entries(resolveHome(process.env))) {
    process.stdout.write(`${(name === 'root' ? 'home' : name).padEnd(12)} ${path}\n`);
  }
}
