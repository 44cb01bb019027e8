import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { grouped } from './number.ts';

export type HonestyCard = { readonly id: string; readonly title: string; readonly sentence: string };

/**
 * What must be said on stream, as fixed copy (spec: show.md 9). The first card depends on where the wiring comes from:
 * a grown twin is never called measured. Numbers come from the descriptor, never from here (show.md 68).
 */
export function honestyCards(descriptor: SessionDescriptor): HonestyCard[] {
  const connectome = descriptor.agents[0]?.connectome;
  const cards: HonestyCard[] = [];
  if (connectome !== undefined) cards.push({ id: 'real', title: 'WHAT IS REAL', sentence: REAL[connectome.origin] });
  cards.push(
    {
      id: 'ours',
      title: 'WHAT IS OURS',
      sentence:
        'The mapping from screen to eye columns and from eight command groups to buttons is ours, macros included. ' +
        'The body you see is ours too, and its legs drive nothing.',
    },
    {
      id: 'sugar',
      title: 'SUGAR',
      sentence:
        'Sugar is one pulse to the dopamine population. There is no path from chat to a button, to game memory or to ' +
        'the learning signal.',
    },
    {
      id: 'learning',
      title: 'NOT CLAIMED',
      sentence:
        'We do not claim that learning improves play, and an unpaid stretch means nothing. The reward number and the ' +
        'dopamine cells are separate paths.',
    },
    {
      id: 'optics',
      title: 'NOT CLAIMED',
      sentence: 'The retina is a plain sampling of the picture. It does not model the optics of a fly.',
    },
    { id: 'rewards', title: 'REWARDS', sentence: 'Rewards are positive only. Deaths and losses are never punished.' },
    {
      id: 'hands',
      title: 'HANDS ON',
      sentence:
        'A rollback, a recovery, a restart or an operator action is shown here when it happens and kept in the event log.',
    },
  );
  descriptor.task.presentation.disclosures.forEach((sentence, index) =>
    cards.push({ id: `task-${index}`, title: 'IN THIS GAME', sentence }),
  );
  if (connectome !== undefined) {
    const size = `${grouped(connectome.neurons)} neurons, ${grouped(connectome.edges)} connections.`;
    cards.push({ id: 'credit', title: 'CREDIT', sentence: `${connectome.credit}. ${size}`.replace('..', '.') });
  }
  return cards;
}

/** Disclosure copy under the brain (mockups, proposals 1 and 3). */
export function originLine(descriptor: SessionDescriptor): string {
  const connectome = descriptor.agents[0]?.connectome;
  if (connectome === undefined) return '';
  const { origin } = connectome;
  switch (origin) {
    case 'grown':
      return 'grown twin, not a measured wiring';
    case 'rewired':
      return 'rewired control, not a measured wiring';
    case 'measured':
      return connectome.name;
    default:
      return origin satisfies never;
  }
}

const REAL: Readonly<Record<SessionDescriptor['agents'][number]['connectome']['origin'], string>> = {
  measured: 'The wiring is a real measured brain. Its spikes are simulated, and reward shifts real synapse positions.',
  grown:
    'This brain is a grown twin: a statistical stand-in built from published counts, not a measured wiring. Its spikes ' +
    'are simulated live and reward shifts its synapses.',
  rewired:
    'This brain is a rewired control: the counts of a fly brain with shuffled partners, not a measured wiring. Its ' +
    'spikes are simulated live.',
};
