import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { ConnectomeSummary } from '../../engine/replica/descriptor.ts';
import { letterOf } from './fly-letter.ts';
import { grouped } from './number.ts';

export type HonestyCard = { readonly id: string; readonly title: string; readonly sentence: string };

/**
 * What must be said on stream, as fixed copy (spec: show.md 9). The first card depends on where the wiring comes from:
 * a grown twin is never called measured. Numbers come from the descriptor, never from here (show.md 68).
 */
export function honestyCards(descriptor: SessionDescriptor): HonestyCard[] {
  const connectomes = descriptor.agents.map(({ connectome }) => connectome);
  const several = connectomes.length > 1;
  const cards: HonestyCard[] = [...controlCards(descriptor), ...realCards(descriptor)];
  cards.push(
    {
      id: 'ours',
      title: 'WHAT IS OURS',
      sentence:
        `The mapping from screen to eye columns and from ${motorGroups(descriptor)} to buttons is ours, macros ` +
        `included. ${several ? 'The bodies you see are ours too, and their' : 'The body you see is ours too, and its'} ` +
        'legs drive nothing.',
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
  const credited = new Set<string>();
  for (const { credit, neurons, edges } of connectomes) {
    const size = `${grouped(neurons)} neurons, ${grouped(edges)} connections.`;
    const sentence = `${credit}. ${size}`.replace('..', '.');
    if (credited.has(sentence)) continue;
    cards.push({ id: credited.size === 0 ? 'credit' : `credit-${credited.size}`, title: 'CREDIT', sentence });
    credited.add(sentence);
  }
  return cards;
}

/** One card when every brain has the same kind of wiring, else one a fly that names it. */
function realCards(descriptor: SessionDescriptor): HonestyCard[] {
  const { agents } = descriptor;
  const say = (sentence: string): string => asLearnt(sentence, descriptor);
  const origins = agents.map(({ connectome }) => connectome.origin);
  const first = origins[0];
  if (first === undefined) return [];
  if (origins.every((origin) => origin === first)) {
    const sentence = (agents.length > 1 ? REAL_OF_SEVERAL : REAL)[first];
    return [{ id: 'real', title: 'WHAT IS REAL', sentence: say(sentence) }];
  }
  return origins.map((origin, index) => ({
    id: `real-${index}`,
    title: `WHAT IS REAL, FLY ${letterOf(descriptor, index)}`,
    sentence: `Fly ${letterOf(descriptor, index)}. ${say(REAL[origin])}`,
  }));
}

/** A run that does not learn, or learns from nothing, says so first. */
function controlCards({ agents }: SessionDescriptor): HonestyCard[] {
  const mode = agents[0]?.learning ?? 'on';
  return mode === 'on' ? [] : [{ id: 'control', title: 'CONTROL RUN', sentence: CONTROL[mode] }];
}

const CONTROL = {
  frozen: 'This is a control run. Learning is frozen: rewards are counted, and no synapse changes.',
  shuffled:
    'This is a control run. Synapses change at every reward, up or down by the toss of a coin, so nothing can be learnt ' +
    'from the reward.',
} as const;

/** Leaves out that reward shifts synapses where learning is frozen: every claim on screen holds for the run shown. */
export function asLearnt(sentence: string, { agents }: SessionDescriptor): string {
  const isFrozen = agents.some(({ learning }) => learning === 'frozen');
  return isFrozen ? sentence.replace(/,? and (each )?reward shifts [^.]*\./, '.') : sentence;
}

/** What the readout listens to, as the descriptor says it. */
function motorGroups({ agents }: SessionDescriptor): string {
  const roles = (agents[0]?.channels ?? []).map(({ role }) => role).filter((role) => !role.startsWith('macro_'));
  const commands = new Set(roles.filter((role) => role.startsWith('command_'))).size;
  return commands === 8 && roles.every((role) => role.startsWith('command_')) ? 'eight command groups' : 'motor groups';
}

/**
 * Name and kind of a brain in at most `characters`. What it is not is never cut: a shorter truth replaces a longer.
 */
export function brainWords({ name, origin }: ConnectomeSummary, characters: number): string {
  if (origin === 'measured') return name.slice(0, characters);
  const own = name.charAt(0).toLowerCase() + name.slice(1);
  const named = own.startsWith(ORIGIN_WORDS[origin]) ? own : `${ORIGIN_WORDS[origin]} ${name}`;
  const forms = [`${named}, not a measured wiring`, `${named}, not measured`];
  return forms.find(({ length }) => length <= characters) ?? `${ORIGIN_WORDS[origin]}, not measured`;
}

const ORIGIN_WORDS = { grown: 'grown twin', rewired: 'rewired control' } as const;

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

const REAL_OF_SEVERAL: typeof REAL = {
  measured:
    'The wiring of these brains is real and measured. Their spikes are simulated, and reward shifts real synapse ' +
    'positions.',
  grown:
    'These brains are grown twins: statistical stand-ins built from published counts, not measured wirings. Their ' +
    'spikes are simulated live and reward shifts their synapses.',
  rewired:
    'These brains are rewired controls: the counts of a fly brain with shuffled partners, not measured wirings. Their ' +
    'spikes are simulated live.',
};
