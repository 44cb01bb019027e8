import type { Brain } from '../../../engine/contract/brain.ts';
import type { Connectome } from '../../../engine/contract/connectome.ts';
import type { Readout } from '../../../engine/contract/readout.ts';
import type { DecisionContext } from '../../../engine/contract/task.ts';
import type { FlysimSave } from '../../../systems/checkpoint/envelope-flysim.ts';
import { createReferenceBrain } from '../../../systems/kernel/reference.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';
import { createReadout } from '../../../systems/readout/readout.ts';
import { toyGConnectome } from '../kernel/test-graphs.ts';

export const FLYSIM_PROFILE =
  'lif-1ms-f64-v2/pokered-unique8-v8/fp/fly-kc-mbon-rstdp-v2/binjgb:c60e138d/pokered:0cd19d3b/statefmt:199616';
export const FLYSIM_ROM: string = 'c'.repeat(64);
export const FLYSIM_CONTEXT: DecisionContext = { boot: false, bound: [], location: null };

export type Fly = { readonly brain: Brain; readonly readout: Readout };

export function createFly(connectome: Connectome = toyGConnectome()): Fly {
  const brain = createReferenceBrain({ agentId: 'fly-a', seed: 22_222, connectome });
  return { brain, readout: createReadout(decoderPreset('gameboy'), brain.rateRoles) };
}

/** A fly that has lived: warmed up, calibrated, rewarded, a direction held. */
export async function livedFly(): Promise<Fly> {
  const fly = createFly();
  await fly.brain.advance(2_500);
  fly.readout.calibrate(fly.brain.rates);
  fly.brain.stimulate(40);
  await fly.brain.advance(16);
  fly.brain.reinforce(1);
  fly.readout.decide(fly.brain.rates, fly.brain.ticks(), FLYSIM_CONTEXT);
  return fly;
}

/** What an older service writes of it. */
export function flysimOf({ brain, readout }: Fly, changes: Partial<FlysimSave> = {}): FlysimSave {
  return {
    remainderMs: 0.742706298828125,
    warmedUp: true,
    brain: brain.exportState(),
    readout: readout.exportState(),
    generation: 12,
    wallMs: 1_700_000_000_000,
    romHash: FLYSIM_ROM,
    emulatorFrame: 2,
    compatibility: FLYSIM_PROFILE,
    speed: 1,
    buttons: 0,
    rankSinceMs: 900,
    lastEventId: 3,
    reward: {},
    ratchet: {},
    reinforcements: 1,
    emulator: Uint8Array.of(1, 2, 3),
    framebuffer: new Uint8Array(160 * 144 * 4),
    ratchetGame: new Uint8Array(0),
    ratchetFrame: new Uint8Array(0),
    ...changes,
  };
}
