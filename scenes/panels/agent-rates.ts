import type { AgentDescriptor } from '../../engine/replica/descriptor.ts';
import type { Circuit } from '../direction/circuits.ts';
import { grouped } from '../format/number.ts';

/** Channels that open a menu rather than move a fly. */
const MENU_GROUP = 2;

/**
 * The rates a card has room for: what the readout reads first, then the reward cells, then the body roles
 * (spec: show.md 152, 166).
 */
export function cardCircuits(circuits: readonly Circuit[], rows: number): readonly Circuit[] {
  const reward = circuits.filter(({ kind }) => kind === 'dopamine').slice(0, 1);
  const rest = circuits.filter(({ kind, group }) => kind !== 'dopamine' && group !== MENU_GROUP);
  return [...rest.slice(0, rows - reward.length), ...reward];
}

/** `up`, `steer L`, `PAM`, `A`: as a viewer says them, at most ten characters. */
export function rateName({ name, kind }: Circuit): string {
  if (kind === 'dopamine' || name.length === 1) return name;
  return name
    .toLowerCase()
    .replace(/ ([a-z])$/, (_, side: string) => ` ${side.toUpperCase()}`)
    .slice(0, 10);
}

/** What learning does in this run, with its counters; an update is a reward that moved a synapse. */
export function learningWords(
  agent: AgentDescriptor | undefined,
  learning: { readonly enabled: boolean; readonly changed: number },
): string {
  // a recording made before the mode was announced has none
  const { learning: mode = 'on' } = (agent ?? {}) as Partial<AgentDescriptor>;
  if (mode === 'frozen') return 'frozen, a control run';
  if (mode === 'shuffled') return 'shuffled, a control run';
  return learning.enabled ? `on, ${grouped(learning.changed)} updates` : 'off';
}
