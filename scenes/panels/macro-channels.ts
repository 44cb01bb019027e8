import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';

/** A readout channel that starts a macro, in decoder order. `tag` is its channel tag, `name` its short name. */
export type MacroChannel = {
  readonly channel: string;
  readonly role: string;
  readonly tag: string;
  readonly name: string;
};

const PREFIX = 'macro_';

/** Empty in raw mode. A macro's role is `macro_` and its name (spec: show.md 72). */
export function macroChannels(descriptor: SessionDescriptor, agentIndex: number = 0): MacroChannel[] {
  const channels = descriptor.agents[agentIndex]?.channels ?? [];
  return channels
    .filter(({ role }) => role.startsWith(PREFIX))
    .map(({ channel, role }) => {
      const name = role.slice(PREFIX.length).replaceAll('_', ' ').toUpperCase();
      return { channel, role, name, tag: `MB\u00b7${name.replaceAll(' ', '').slice(0, 4)}` };
    });
}
