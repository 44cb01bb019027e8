import { SIDES } from './read-inventory.ts';
import type { Inventory } from './read-inventory.ts';
import { textAt } from './text-column.ts';

/** One reviewed row of the mapping from annotations to a population (spec: brain.md 3.6). */
export type PopulationRule = {
  /** Qualified name. */
  readonly role: string;
  /** The predicate as the report prints it. */
  readonly predicate: string;
  readonly keep: (neuron: NeuronView) => boolean;
  /** `one side`: neurons of any other side, blank included, are left out and counted. */
  readonly hemispheres: 'both' | 'L' | 'R';
  /** Legacy names under which the same list is also written. */
  readonly aliases: readonly string[];
  readonly citation: string;
};

type NeuronView = {
  readonly superclass: string;
  readonly class: string;
  readonly type: string;
};

export type Population = {
  readonly rule: PopulationRule;
  /** Ascending indices. */
  readonly members: readonly number[];
  readonly sides: Readonly<Record<string, number>>;
  /** Matched by the predicate but left out because of their side. */
  readonly otherSide: number;
};

const RELEASE = 'release annotations';

const both = (role: string, predicate: string, keep: PopulationRule['keep'], ...aliases: string[]): PopulationRule => ({
  role,
  predicate,
  keep,
  hemispheres: 'both',
  aliases,
  citation: RELEASE,
});

const ofSuperclass = (role: string, superclass: string, ...aliases: string[]): PopulationRule =>
  both(role, `superclass = ${superclass}`, (neuron) => neuron.superclass === superclass, ...aliases);

const isSteering: PopulationRule['keep'] = ({ type }) => type === 'DNa01' || type === 'DNa02';

/**
 * Populations by annotation. `motor` means brain motor neurons only: nerve-cord motor neurons under that name would
 * silently change the macro pool (spec: brain.md 3.6). Steering needs a known side; FAFB counted blanks as right.
 */
export const POPULATION_RULES: readonly PopulationRule[] = [
  both(
    'brain.sensory',
    'superclass in cb_sensory, ol_sensory',
    ({ superclass }) => superclass === 'cb_sensory' || superclass === 'ol_sensory',
    'sensory',
  ),
  ofSuperclass('brain.motor', 'cb_motor', 'motor'),
  ofSuperclass('brain.descending', 'descending_neuron', 'descending'),
  ofSuperclass('vnc.sensory', 'vnc_sensory'),
  ofSuperclass('vnc.motor', 'vnc_motor'),
  ofSuperclass('vnc.efferent', 'vnc_efferent'),
  ofSuperclass('neck.ascending', 'ascending_neuron'),
  ofSuperclass('neck.sensory_ascending', 'sensory_ascending'),
  both(
    'mb.kenyon',
    'class = Kenyon_Cell or type starts with KC',
    (n) => n.class === 'Kenyon_Cell' || n.type.startsWith('KC'),
    'kenyon',
  ),
  both(
    'mb.output',
    'class = MBON or type starts with MBON',
    (n) => n.class === 'MBON' || n.type.startsWith('MBON'),
    'mbon',
  ),
  both('mb.pam', 'type starts with PAM', ({ type }) => type.startsWith('PAM'), 'reward_pam'),
  both('mb.ppl1', 'type starts with PPL1', ({ type }) => type.startsWith('PPL1')),
  { ...both('brain.steer_left', 'type in DNa01, DNa02 and side L', isSteering, 'steer_left'), hemispheres: 'L' },
  { ...both('brain.steer_right', 'type in DNa01, DNa02 and side R', isSteering, 'steer_right'), hemispheres: 'R' },
  both('brain.forward', 'type = DNp09', ({ type }) => type === 'DNp09', 'forward'),
  both('brain.backward', 'type = MDN', ({ type }) => type === 'MDN', 'backward'),
];

/** Every population, found ones and empty ones. */
export function findPopulations(inventory: Inventory): Population[] {
  const found = POPULATION_RULES.map((rule) => ({
    rule,
    members: [] as number[],
    sides: Object.fromEntries(SIDES.map((side): [string, number] => [side, 0])),
    otherSide: 0,
  }));
  for (let i = 0; i < inventory.neurons; i++) {
    const neuron = {
      superclass: textAt(inventory.superclass, i),
      class: textAt(inventory.class, i),
      type: textAt(inventory.type, i),
    };
    const side = SIDES[inventory.side[i]!]!;
    for (const population of found) {
      const { rule } = population;
      if (!rule.keep(neuron)) continue;
      if (rule.hemispheres !== 'both' && rule.hemispheres !== side) {
        population.otherSide++;
        continue;
      }
      population.members.push(i);
      population.sides[side]!++;
    }
  }
  return found;
}

/** Qualified name -> members, empty ones left out: an absent capability is absent, never an empty list. */
export function rolesOf(populations: readonly Population[]): Record<string, readonly number[]> {
  const roles: Record<string, readonly number[]> = {};
  for (const { rule, members } of populations) if (members.length > 0) roles[rule.role] = members;
  return roles;
}

/** The legacy names of the same lists. */
export function aliasesOf(populations: readonly Population[]): Record<string, readonly number[]> {
  const roles: Record<string, readonly number[]> = {};
  for (const { rule, members } of populations) {
    if (members.length > 0) for (const alias of rule.aliases) roles[alias] = members;
  }
  return roles;
}
