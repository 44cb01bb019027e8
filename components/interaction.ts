/**
 * One viewer's or operator's wish, from admission to settlement (spec: session.md 18). The only kind is sugar: a timed
 * pulse on the reward population. Nothing here can name a button, a neuron or an address.
 */
export type Interaction = {
  readonly serial: number;
  readonly agentIndex: number;
  readonly kind: 'sugar';
  readonly by: string;
  readonly source: 'operator' | 'chat' | 'points';
  readonly durationMs: number;
  state: 'accepted' | 'scheduled' | 'applied';
};
