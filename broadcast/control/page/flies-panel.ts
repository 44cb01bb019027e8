import type { AgentReport } from '../controlled-session.ts';
import { byId, create, setData, setText } from './element.ts';
import { formatCount, formatDuration, formatKnown } from './format.ts';
import { createSparkline } from './sparkline.ts';
import type { Sparkline } from './sparkline.ts';

const SAMPLE_MS = 1_000;

/** A grown or rewired brain is never called a measured one (mockups README, states). */
const ORIGINS: Readonly<Record<AgentReport['connectome']['origin'], string>> = {
  grown: 'grown twin, not a measured wiring',
  rewired: 'rewired control, not a measured wiring',
  measured: 'measured wiring',
};

type Row = {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly rate: HTMLElement;
  readonly brain: HTMLElement;
  readonly numbers: HTMLElement;
  readonly sparkline: Sparkline;
};

export type FliesPanel = { update(agents: readonly AgentReport[], seed: number, nowMs: number): void };

/** Who plays: fly A is a filled square, fly B a hollow one, never two hues. */
export function createFliesPanel(): FliesPanel {
  const list = byId('flies-rows');
  const note = byId('flies-note');
  const rows = new Map<string, Row>();
  let sampledAtMs = -Infinity;
  return {
    update(agents, seed, nowMs) {
      const takeSample = nowMs - sampledAtMs >= SAMPLE_MS;
      if (takeSample) sampledAtMs = nowMs;
      setText(note, `seed ${seed}`);
      for (const [id, row] of rows) {
        if (agents.some(({ agentId }) => agentId === id)) continue; // another show has other flies
        row.root.remove();
        rows.delete(id);
      }
      agents.forEach((agent, index) => {
        let row = rows.get(agent.agentId);
        if (row === undefined) {
          row = createRow();
          setData(row.root, 'hollow', String(index % 2 === 1));
          rows.set(agent.agentId, row);
          list.append(row.root);
        }
        if (takeSample) row.sparkline.push(agent.populationRateHz);
        const { name, origin } = agent.connectome;
        setText(row.name, agent.agentId);
        setText(row.rate, formatKnown(agent.populationRateHz, 1, ' Hz'));
        setText(row.brain, `${name}: ${ORIGINS[origin]}`);
        const learning = agent.learning ? 'learning on' : 'learning off';
        const age = formatDuration(agent.brainMs / 1_000);
        setText(row.numbers, `${formatCount(agent.spikeCount)} spikes, brain time ${age}, ${learning}`);
      });
    },
  };
}

function createRow(): Row {
  const root = create('li');
  const glyph = create('span', 'fly-mark');
  glyph.ariaHidden = 'true';
  const row = {
    root,
    name: create('b'),
    rate: create('span', 'value'),
    brain: create('span', 'wide'),
    numbers: create('span', 'wide'),
    sparkline: createSparkline(),
  };
  root.append(glyph, row.name, row.rate, row.brain, row.numbers, row.sparkline.root);
  return row;
}
