import { parentPort, workerData } from 'node:worker_threads';
import { reportConnectome } from '../report-connectome.ts';
import { writeBundle } from '../write-bundle.ts';
import { EDGES, NEURONS } from './cell-kinds.ts';
import { growTwin } from './grow-twin.ts';
import type { GrowProgress } from './grow-twin.ts';

// Worker thread of `growInWorker`: grows one twin, writes it, and ends. A thrown error reaches the parent as `error`.
const { seed, folder } = workerData as { seed: number; folder: string };
const post = (progress: GrowProgress): void => parentPort!.postMessage(progress);
const whole = { neuronsPlaced: NEURONS, edgesDrawn: EDGES, total: { neurons: NEURONS, edges: EDGES } };

const twin = growTwin({ seed, onProgress: post });
post({ phase: 'writing', ...whole });
const roles = new Map(Object.entries({ ...twin.meta.roles, ...twin.circuitRoles?.roles }));
await writeBundle(folder, { ...twin, report: reportConnectome({ ...twin.graph, roles }) });
post({ phase: 'done', ...whole });
