import { join } from 'node:path';
import type { Show } from '../../config/schema.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { ensureTwin } from '../../systems/kernel/connectome/grow-in-worker.ts';
import { describeParameters, readReportFacts } from '../../systems/kernel/connectome/compare/read-report-facts.ts';
import { loadBundle } from '../../systems/kernel/connectome/load-bundle.ts';
import type { KernelOverrides } from '../../systems/kernel/parameters.ts';
import { describeVision } from '../../systems/kernel/probe-vision.ts';
import type { VisionProbe } from '../../systems/kernel/probe-vision.ts';
import type { Home } from '../home.ts';
import { knownVision } from './known-vision.ts';
import type { StartingScene } from './starting-scene.ts';

/** The twin everybody gets; its seed is a constant of the product, not of a run. */
export const TWIN_SEED = 1;

export type LoadedConnectome = {
  readonly connectome: Connectome;
  readonly folder: string;
  /** What its importer suggests for a brain of this size. */
  readonly parameters: KernelOverrides;
  readonly vision: VisionProbe;
};

/** One bundle per agent of the show, show file order; agents that name the same bundle share it. */
export async function loadConnectomes(
  show: Show,
  home: Home,
  scene: StartingScene,
  report: (line: string) => void,
): Promise<LoadedConnectome[]> {
  const loaded = new Map<string, LoadedConnectome>();
  for (const { connectome: name } of show.agents) {
    if (!loaded.has(name)) loaded.set(name, await loadOne(name, home, scene, report));
  }
  return show.agents.map(({ connectome }) => loaded.get(connectome)!);
}

async function loadOne(
  name: string,
  home: Home,
  scene: StartingScene,
  report: (line: string) => void,
): Promise<LoadedConnectome> {
  const folder =
    name === 'twin'
      ? await ensureTwin({ home: home.root, seed: TWIN_SEED, onProgress: (progress) => scene.growing(progress) })
      : join(home.connectomes, name);
  scene.step('brain', 'running', 'reading');
  const connectome = await loadBundle(folder);
  scene.step('brain', 'running', 'eyes tested');
  const { parameters } = await readReportFacts(folder);
  const constants = describeParameters(parameters);
  if (constants !== '') report(`${connectome.name}: ${constants}, as its importer suggests`);
  const vision = await knownVision(folder, connectome, parameters);
  if (!vision.differs) report(`${connectome.name}: ${describeVision(vision)}`);
  scene.step('brain', 'done', 'ok');
  return { connectome, folder, parameters, vision };
}
