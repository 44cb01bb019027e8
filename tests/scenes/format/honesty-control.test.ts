import { expect, test } from 'vitest';
import type { LearningMode, SessionDescriptor } from '../../../engine/replica/descriptor.ts';
import { asLearnt, honestyCards } from '../../../scenes/format/honesty.ts';
import { fakeDescriptor } from '../fixture.ts';

const ORIGINS = ['grown', 'rewired', 'measured'] as const;

function descriptorOf(learning: LearningMode, origin: (typeof ORIGINS)[number]): SessionDescriptor {
  const descriptor = fakeDescriptor({ origin });
  return { ...descriptor, agents: descriptor.agents.map((agent) => ({ ...agent, learning })) };
}

const sentences = (descriptor: SessionDescriptor): string =>
  honestyCards(descriptor)
    .map(({ sentence }) => sentence)
    .join(' ');

test('with learning frozen the first card says so and no card says that reward shifts synapses', () => {
  for (const origin of ORIGINS) {
    const cards = honestyCards(descriptorOf('frozen', origin));
    expect(cards[0]).toMatchObject({ title: 'CONTROL RUN' });
    expect(cards[0]!.sentence).toContain('Learning is frozen');
    expect(sentences(descriptorOf('frozen', origin))).not.toMatch(/shifts/);
  }
});

test('with shuffled rewards the first card says that nothing can be learnt from them', () => {
  const [first] = honestyCards(descriptorOf('shuffled', 'grown'));
  expect(first).toMatchObject({ title: 'CONTROL RUN' });
  expect(first!.sentence).toContain('nothing can be learnt from the reward');
});

test('an ordinary run has no control card, and its sentences stay whole', () => {
  for (const origin of ORIGINS) {
    expect(honestyCards(descriptorOf('on', origin)).some(({ id }) => id === 'control')).toBe(false);
  }
  expect(sentences(descriptorOf('on', 'grown'))).toContain('reward shifts its synapses');
});

test('what is left of a sentence without its clause about reward is a sentence', () => {
  const frozen = descriptorOf('frozen', 'grown');
  expect(asLearnt('Its spikes are simulated live and reward shifts its synapses.', frozen)).toBe(
    'Its spikes are simulated live.',
  );
  expect(asLearnt('Its spikes are simulated, and reward shifts real synapse positions.', frozen)).toBe(
    'Its spikes are simulated.',
  );
});
