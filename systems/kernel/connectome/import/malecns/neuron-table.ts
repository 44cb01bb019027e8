import { bodyText } from './body-index.ts';
import { SIDES } from './read-inventory.ts';
import type { Inventory } from './read-inventory.ts';
import type { Transmitters } from './read-transmitters.ts';
import { textAt } from './text-column.ts';

/**
 * The normalised neuron table, one JSON object a line in index order: ids as text, annotations and names in other
 * data sets as the release prints them, transmitter evidence beside the sign that was made of it (spec: brain.md 3.3, 3.5).
 */
export function writeNeuronTable(inventory: Inventory, transmitters: Transmitters): string {
  const lines: string[] = [];
  for (let i = 0; i < inventory.neurons; i++) {
    const confidence = transmitters.confidence[i]!;
    lines.push(
      JSON.stringify({
        id: bodyText(inventory.low[i]!, inventory.high[i]!),
        status: textAt(inventory.status, i),
        superclass: textAt(inventory.superclass, i),
        class: textAt(inventory.class, i),
        subclass: textAt(inventory.subclass, i),
        type: textAt(inventory.type, i),
        side: SIDES[inventory.side[i]!]!,
        consensusNt: textAt(transmitters.consensus, i),
        predictedNt: textAt(transmitters.predicted, i),
        confidence: Number.isNaN(confidence) ? null : confidence,
        sign: transmitters.sign[i]!,
        aliases: namesElsewhere(inventory, i),
      }),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Original ids, index order, one a line. */
export function listIds({ low, high, neurons }: Inventory): string {
  return Array.from({ length: neurons }, (_, i) => bodyText(low[i]!, high[i]!)).join('\n');
}

function namesElsewhere({ aliases }: Inventory, i: number): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [dataset, column] of Object.entries(aliases)) {
    const name = textAt(column, i);
    if (name !== '') names[dataset] = name;
  }
  return names;
}
