import { mkdtempSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connectome } from '../../../../engine/contract/connectome.ts';
import { growGeometry } from '../../../../systems/kernel/connectome/grow-geometry.ts';
import { ensureTwin } from '../../../../systems/kernel/connectome/grow-in-worker.ts';
import { COLUMNS, Kind, SUPER_CLASSES } from '../../../../systems/kernel/connectome/grow/cell-kinds.ts';
import { TWIN_GENERATOR, growTwin } from '../../../../systems/kernel/connectome/grow/grow-twin.ts';
import type { GrowProgress, GrownTwin } from '../../../../systems/kernel/connectome/grow/grow-twin.ts';
import { superClassOf } from '../../../../systems/kernel/connectome/grow/twin-cells.ts';
import { loadBundle } from '../../../../systems/kernel/connectome/load-bundle.ts';
import { reportConnectome, reportPairs } from '../../../../systems/kernel/connectome/report-connectome.ts';
import type { ConnectomeReport, ReportedGraph } from '../../../../systems/kernel/connectome/report-connectome.ts';
import { openWasm } from '../test-kernels.ts';

// One twin for the whole file: grown in a worker thread into a temporary home, loaded back, and grown again here.
const home = mkdtempSync(join(tmpdir(), 'fly-twin-'));
const progress: GrowProgress[] = [];
let folder: string;
let twin: GrownTwin;
let connectome: Connectome;
let report: ConnectomeReport;
let graph: ReportedGraph;

beforeAll(async () => {
  folder = await ensureTwin({ home, seed: 1, onProgress: (step) => progress.push(step) });
  connectome = await loadBundle(folder);
  twin = growTwin({ seed: 1 });
  graph = connectome;
  report = reportConnectome(connectome);
}, 120_000);

afterAll(() => rm(home, { recursive: true, force: true }));

/** Published values are met to this part; chance of a seed is well inside it. */
const PART = 0.05;

function expectNear(found: number, published: number): void {
  expect(Math.abs(found / published - 1), `${found} against ${published}`).toBeLessThanOrEqual(PART);
}

function neuronsOf(kind: number): number[] {
  const list: number[] = [];
  twin.cells.kind.forEach((found, i) => {
    if (found === kind) list.push(i);
  });
  return list;
}

describe('counts (twin.md 1 and 2)', () => {
  test('139,255 neurons, 2,700,513 pair edges, mean degree 19.39, 1,572 retina columns', () => {
    expect(connectome).toMatchObject({ neurons: 139_255, edges: 2_700_513, origin: 'grown' });
    expect(report.meanDegree).toBeCloseTo(19.39, 2);
    expect(connectome.retina.count).toBe(1_572);
    expect(report.selfEdges).toBe(0);
  });

  test('super classes, sides and transmitters are exactly the published table', () => {
    const { kind, side, transmitter } = twin.cells;
    SUPER_CLASSES.forEach((facts, superClass) => {
      const sides = [0, 0, 0, 0];
      const transmitters = [0, 0, 0, 0, 0, 0, 0];
      kind.forEach((found, i) => {
        if (superClassOf(found) !== superClass) return;
        sides[side[i]!]!++;
        transmitters[transmitter[i]!]!++;
      });
      expect(sides, facts.name).toEqual([facts.left, facts.right, facts.centre, facts.blank]);
      expect(transmitters, facts.name).toEqual(facts.transmitters);
    });
  });

  test('larger classes are exact: Kenyon 5,177, CX 2,878, ALPN 685, LHLN 517, ALLN 429, DAN 331, TuBu 150, MBON 96', () => {
    const sizes: [number, number][] = [
      [Kind.Kenyon, 5_177],
      [Kind.CentralComplex, 2_878],
      [Kind.AlProjection, 685],
      [Kind.LateralHorn, 517],
      [Kind.AlLocal, 429],
      [Kind.Dan, 331],
      [Kind.Tubercle, 150],
      [Kind.Mbon, 96],
      [Kind.Mechanosensory, 2_674],
      [Kind.Olfactory, 2_281],
      [Kind.Gustatory, 334],
      [Kind.Ascending, 1_750],
    ];
    for (const [kind, size] of sizes) expect(neuronsOf(kind).length).toBe(size);
    expect([Kind.OuterReceptor, Kind.InnerReceptor, Kind.Ocellar].flatMap(neuronsOf).length).toBe(11_426);
  });

  test('transmitters of the larger classes are the real ones: ALPN, LHLN, DAN, MBON, Kenyon', () => {
    const counts = (kind: number): number[] => {
      const found = [0, 0, 0, 0, 0, 0, 0];
      for (const neuron of neuronsOf(kind)) found[twin.cells.transmitter[neuron]!]!++;
      return found;
    };
    const [ACH, GLUT, GABA, DA, NONE] = [0, 1, 2, 4, 6];
    expect(counts(Kind.Kenyon)[ACH]).toBe(5_177);
    expect([ACH, GABA, GLUT].map((label) => counts(Kind.AlProjection)[label])).toEqual([474, 203, 8]);
    expect([GLUT, GABA, ACH].map((label) => counts(Kind.LateralHorn)[label])).toEqual([307, 140, 9]);
    expect(counts(Kind.Dan)[DA]).toBe(285);
    expect([ACH, GABA, GLUT, NONE].map((label) => counts(Kind.Mbon)[label])).toEqual([51, 17, 23, 5]);
  });

  test('a source has one sign: GABA and GLUT negative, all others positive (brain.md 2.7)', () => {
    const { indptr, weights } = connectome;
    for (let s = 0; s < connectome.neurons; s++) {
      const negative = twin.cells.transmitter[s] === 1 || twin.cells.transmitter[s] === 2;
      for (let e = indptr[s]!; e < indptr[s + 1]!; e++) if (weights[e]! < 0 !== negative) expect.fail(`edge ${e}`);
    }
  });

  test('flow: 19,300 afferent, 118,464 intrinsic, 1,491 efferent (brain.md 1.7)', () => {
    const counts = [0, 0, 0];
    for (const flow of connectome.viewer.classes) counts[flow]!++;
    expect(counts).toEqual([19_300, 118_464, 1_491]);
  });
});

describe('populations (brain.md 2)', () => {
  test('51 roles in the published order, 45 of them tracked (brain.md 1.4, 4.5)', () => {
    const names = Array.from(connectome.roles.keys());
    expect(names.length).toBe(51);
    const commands = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => `command_${k}`);
    const outputs = [
      'descending',
      'forward',
      'motor',
      'proboscis',
      'reward_pam',
      'steer_left',
      'steer_right',
      'visual_l1',
    ];
    expect(names.slice(0, 20)).toEqual(['backward', ...commands, ...outputs, 'sensory', 'kenyon', 'mbon']);
    expect(names.slice(20).every((name) => name.startsWith('macro_'))).toBe(true);
  });

  test('every population has its published size', () => {
    const size = (name: string): number => connectome.roles.get(name)!.length;
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((k) => size(`command_${k}`))).toEqual([151, 174, 171, 141, 163, 161, 149, 195]);
    expect(['sensory', 'kenyon', 'mbon', 'descending', 'motor'].map(size)).toEqual([17_550, 5_177, 96, 1_305, 110]);
    expect(['reward_pam', 'proboscis', 'forward', 'backward'].map(size)).toEqual([307, 24, 2, 4]);
    expect(['steer_left', 'steer_right', 'visual_l1'].map(size)).toEqual([2, 2, 1_572]);
    const macros = Array.from(connectome.roles).filter(([name]) => name.startsWith('macro_'));
    macros.forEach(([name, members], k) => expect(members.length, name).toBe(k < 20 ? 7 : 6));
  });

  test('command pools follow from the index, and backward has the published indices', () => {
    for (let k = 0; k < 8; k++) {
      for (const neuron of connectome.roles.get(`command_${k}`)!) expect(neuron % 8).toBe(k);
    }
    expect(Array.from(connectome.roles.get('backward')!)).toEqual([8_850, 25_965, 102_597, 129_708]);
  });

  test('macro groups deal MBON and motor neurons round-robin in index order (brain.md 2)', () => {
    const pool = [...connectome.roles.get('mbon')!, ...connectome.roles.get('motor')!].sort((a, b) => a - b);
    const macros = Array.from(connectome.roles).filter(([name]) => name.startsWith('macro_'));
    pool.forEach((neuron, i) => expect(Array.from(macros[i % 31]![1])).toContain(neuron));
  });

  test('retina columns: 786 an eye, left first, each with its own L1 (twin.md 4)', () => {
    const { neuron, hemisphere } = connectome.retina;
    expect(hemisphere.filter((half) => half === 0).length).toBe(COLUMNS);
    expect(new Set(neuron).size).toBe(1_572);
    expect(Array.from(neuron)).toEqual(Array.from(connectome.roles.get('visual_l1')!));
  });
});

describe('graph (twin.md 1)', () => {
  test('degrees: log-normal, a median row of 11 edges, spread 1.0 in and what mean and median imply out', () => {
    // a log-normal of mean 19.39 and median 11, both published, has a spread of 1.065; "about 1.15" is not a marked value
    expectNear(report.outDegree.logDeviation, Math.sqrt(2 * Math.log(19.39 / 11)));
    expectNear(report.inDegree.logDeviation, 1.0);
    expectNear(report.outDegree.median, 11);
  });

  test('contacts: at least 5, mean about 12, heavy tail', () => {
    expect(connectome.weights.every((weight) => Math.abs(weight) >= 5)).toBe(true);
    expectNear(report.contacts.mean, 12);
    expect(report.contacts.p99).toBeGreaterThan(4 * report.contacts.mean);
  });

  test('reciprocity about 0.14', () => expectNear(report.reciprocity, 0.14));

  test('rows ascend and hold no target twice', () => {
    const { indptr, targets } = connectome;
    for (let s = 0; s < connectome.neurons; s++) {
      for (let e = indptr[s]! + 1; e < indptr[s + 1]!; e++) if (targets[e]! <= targets[e - 1]!) expect.fail(`row ${s}`);
    }
  });

  test('an L1 reaches its own column first, and every command pool within four edges (twin.md 4)', () => {
    const { column, half } = twin.cells;
    let own = 0;
    let all = 0;
    const { indptr, targets } = connectome;
    for (const l1 of neuronsOf(Kind.L1)) {
      for (let e = indptr[l1]!; e < indptr[l1 + 1]!; e++) {
        all++;
        if (column[targets[e]!] === column[l1] && half[targets[e]!] === half[l1]) own++;
      }
    }
    expect(own / all).toBeGreaterThan(0.6);
    const hops = hopsFrom(connectome.roles.get('visual_l1')!);
    const descending = connectome.roles.get('descending')!;
    expect(descending.filter((neuron) => hops[neuron]! <= 4).length).toBe(descending.length);
  });
});

describe('mushroom body (twin.md 3)', () => {
  test('Kenyon to MBON: 20,534 pairs, mean 7.9 contacts, p90 12, max 44; 2 / 4 / 7 / 12 MBONs a cell', () => {
    const { pairs, contacts, outPerSource, inPerTarget } = report.kenyonToMbon;
    expect(pairs).toBe(20_534);
    expectNear(contacts.mean, 7.9);
    expect([contacts.p90, contacts.max]).toEqual([12, 44]);
    expect([outPerSource.p10, outPerSource.median, outPerSource.p90, outPerSource.max]).toEqual([2, 4, 7, 12]);
    expect(inPerTarget.p10).toBe(3);
    expectNear(inPerTarget.median, 175);
    expectNear(inPerTarget.p90, 734);
    expect(inPerTarget.max).toBe(1_175);
  });

  test('at least 16,384 positive candidates, so the plastic selection is full (brain.md 6.2)', () => {
    expect(report.plasticCandidates).toBeGreaterThanOrEqual(16_384);
  });

  test('projection neurons to Kenyon cells: 22,119 pairs, mean 16.4, p90 27; 4.7 claws a cell, at most 10', () => {
    const claws = reportPairs(graph, neuronsOf(Kind.AlProjection), neuronsOf(Kind.Kenyon));
    expect(claws.pairs).toBe(22_119);
    expectNear(claws.contacts.mean, 16.4);
    expectNear(claws.contacts.p90, 27);
    expectNear(claws.inPerTarget.mean, 4.7);
    expect(claws.inPerTarget.max).toBe(10);
    expect(claws.contacts.max).toBe(79);
  });

  test('DAN to MBON: 866 pairs, mean 15.9, max 402; MBON to MBON: 307 pairs, mean 22.7', () => {
    const dan = reportPairs(graph, neuronsOf(Kind.Dan), neuronsOf(Kind.Mbon));
    expect(dan.pairs).toBe(866);
    expectNear(dan.contacts.mean, 15.9);
    expect(dan.contacts.max).toBe(402);
    expect(report.mbonToMbon.pairs).toBe(307);
    expectNear(report.mbonToMbon.contacts.mean, 22.7);
  });
});

describe('growth', () => {
  test('generator twin-2 keeps the bytes of seed 1: another graph needs another TWIN_GENERATOR', () => {
    // provenance: first run of this generator, node 24, x86-64; guards shows and checkpoints that name the twin
    expect(TWIN_GENERATOR).toBe('twin-2');
    expect(connectome.identity).toBe('b3ee8f464899c249e8b7a7e53e047a68cd4bb614cdcc3b7ab24187bcaac2893e');
  });

  test('the same seed grows the same bytes in a worker and here; another seed does not', () => {
    expect(Buffer.compare(bytes(twin.graph.targets), bytes(connectome.targets))).toBe(0);
    expect(Buffer.compare(bytes(twin.graph.weights), bytes(connectome.weights))).toBe(0);
    expect(Buffer.compare(bytes(twin.viewer.positions), bytes(connectome.viewer.positions))).toBe(0);
    expect(Buffer.compare(bytes(growGeometry(2).viewer.positions), bytes(connectome.viewer.positions))).not.toBe(0);
  });

  test('progress counts real neurons and edges upwards to the published totals', () => {
    const wiring = progress.filter(({ phase }) => phase === 'wiring');
    expect(wiring.length).toBeGreaterThan(20);
    for (let k = 1; k < progress.length; k++) {
      expect(progress[k]!.edgesDrawn).toBeGreaterThanOrEqual(progress[k - 1]!.edgesDrawn);
    }
    for (const { neuronsPlaced, edgesDrawn } of wiring) expect(edgesDrawn).toBe(connectome.indptr[neuronsPlaced]);
    expect(progress.at(-1)).toMatchObject({ phase: 'done', neuronsPlaced: 139_255, edgesDrawn: 2_700_513 });
  });

  test('its name, data set and files say grown, never measured', async () => {
    expect(connectome.name).toBe('Grown twin, seed 1');
    const meta = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as { dataset: string };
    expect(meta.dataset).toContain('Grown twin');
    expect(JSON.parse(await readFile(join(folder, 'origin.json'), 'utf8'))).toMatchObject({ origin: 'grown', seed: 1 });
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({ edges: 2_700_513 });
  });

  test('a sound twin is not grown again; a damaged one is', async () => {
    const calls: GrowProgress[] = [];
    await ensureTwin({ home, seed: 1, onProgress: (step) => calls.push(step) });
    expect(calls).toEqual([]);
    await writeFile(join(folder, 'targets.binz'), 'damaged');
    await ensureTwin({ home, seed: 1, onProgress: (step) => calls.push(step) });
    expect(calls.at(-1)?.phase).toBe('done');
    expect((await loadBundle(folder)).identity).toBe(connectome.identity);
    expect(await readdir(join(home, 'connectomes'))).toEqual(['twin-seed1']);
  }, 60_000);
});

describe('geometry for the map', () => {
  test('geometry alone equals the finished twin: places, classes, fibres, populations, columns', () => {
    const geometry = growGeometry(1);
    expect(Buffer.compare(bytes(geometry.viewer.positions), bytes(connectome.viewer.positions))).toBe(0);
    expect(geometry.viewer.classes).toEqual(twin.viewer.classes);
    expect(geometry.viewer.fibres).toEqual(twin.viewer.viewerEdges);
    expect(geometry.retina.neuron).toEqual(new Uint32Array(connectome.retina.neuron));
    expect(Array.from(geometry.roles.keys()).sort()).toEqual(Array.from(connectome.roles.keys()).sort());
  });

  test('the centroid is the origin, the largest |x| is 1, and the lobes lie at both ends', () => {
    const { positions } = connectome.viewer;
    const sums = [0, 0, 0];
    let largest = 0;
    positions.forEach((value, i) => {
      sums[i % 3]! += value;
      if (i % 3 === 0) largest = Math.max(largest, Math.abs(value));
    });
    expect(largest).toBe(1);
    for (const sum of sums) expect(Math.abs(sum / connectome.neurons)).toBeLessThan(1e-5);
    for (let c = 0; c < connectome.retina.count; c++) {
      const x = positions[3 * connectome.retina.neuron[c]!]!;
      expect(Math.sign(x)).toBe(connectome.retina.hemisphere[c] === 0 ? 1 : -1); // seen from the front
      expect(Math.abs(x)).toBeGreaterThan(0.5);
    }
  });

  test('index order runs from left to right, give or take the places the command pools need', () => {
    const { positions } = connectome.viewer;
    let ascending = 0;
    for (let i = 1; i < connectome.neurons; i++) if (positions[3 * i]! >= positions[3 * i - 3]!) ascending++;
    expect(ascending / connectome.neurons).toBeGreaterThan(0.97);
  });

  test('4,500 to 5,600 fibres, each an edge of the graph', () => {
    const { fibres } = connectome.viewer;
    expect(fibres.length / 2).toBeGreaterThan(4_500);
    expect(fibres.length / 2).toBeLessThanOrEqual(5_600);
    const { indptr, targets } = connectome;
    for (let f = 0; f < fibres.length; f += 2) {
      const row = targets.subarray(indptr[fibres[f]!], indptr[fibres[f]! + 1]);
      if (!row.includes(fibres[f + 1]!)) expect.fail(`fibre ${f / 2} is no edge`);
    }
  });
});

describe('activity with default kernel parameters (brain.md 4.1)', () => {
  test('2 to 8 Hz in the dark and with a game picture; the eye moves the command pools; pictures differ in scores', () => {
    const kernel = openWasm(connectome);
    const commands = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => kernel.rateRoles.indexOf(`command_${k}`));
    /** Mean rate of each pool and of the population over `ms`, Hz, sampled every 10 ms. */
    const measure = (ms: number): { pools: number[]; populationHz: number } => {
      const pools = commands.map(() => 0);
      let spikes = 0;
      for (let t = 0; t < ms; t += 10) {
        spikes += kernel.step(10);
        commands.forEach((role, k) => (pools[k]! += (kernel.rates[role]! * 10) / ms));
      }
      return { pools, populationHz: (spikes * 1_000) / (connectome.neurons * ms) };
    };
    const look = (shade: (x: number, y: number) => number): ReturnType<typeof measure> => {
      kernel.installFrame(picture(shade), 160, 144);
      kernel.step(150);
      return measure(400);
    };
    kernel.step(2_500);
    const dark = measure(400);
    const level = look(gamePicture);
    const left = look((x) => (x < 80 ? 230 : 25));
    const right = look((x) => (x < 80 ? 25 : 230));
    for (const { populationHz } of [dark, level, left, right]) {
      expect(populationHz).toBeGreaterThan(2);
      expect(populationHz).toBeLessThan(8);
    }
    for (const rate of dark.pools) {
      expect(rate).toBeGreaterThan(4);
      expect(rate).toBeLessThan(15);
    }
    // retina on against off: every pool hears it
    level.pools.forEach((rate, k) => expect((rate + 1) / (dark.pools[k]! + 1)).toBeGreaterThan(1.15));
    // opposite halves of the picture: scores differ by a third and more in several pools, both ways
    const ratios = left.pools.map((rate, k) => (rate + 1) / (right.pools[k]! + 1));
    expect(ratios.filter((ratio) => ratio > 1.33).length).toBeGreaterThanOrEqual(2);
    expect(ratios.filter((ratio) => ratio < 0.75).length).toBeGreaterThanOrEqual(2);
    // the winner among the four directions is not the same for both
    const winner = (pools: number[]): number => {
      const scores = [0, 1, 2, 3].map((k) => (pools[k]! + 1) / (level.pools[k]! + 1));
      return scores.indexOf(Math.max(...scores));
    };
    expect(winner(left.pools)).not.toBe(winner(right.pools));
  }, 60_000);
});

/** Sky, ground and two trees in the four shades of a Game Boy picture. */
function gamePicture(x: number, y: number): number {
  if (y > 120) return ((x >> 3) + (y >> 3)) & 1 ? 112 : 30;
  const tree = (x > 30 && x < 60 && y > 60) || (x > 110 && x < 150 && y > 90);
  return y < 16 ? 30 : tree ? 173 : 232;
}

function picture(shade: (x: number, y: number) => number): Uint8Array {
  const rgba = new Uint8Array(160 * 144 * 4);
  for (let p = 0; p < 160 * 144; p++) rgba.fill(shade(p % 160, Math.floor(p / 160)), 4 * p, 4 * p + 4);
  return rgba;
}

function hopsFrom(starts: Uint32Array): Uint8Array {
  const hops = new Uint8Array(connectome.neurons).fill(255);
  let front = Array.from(starts);
  for (const neuron of front) hops[neuron] = 0;
  for (let hop = 1; hop <= 4; hop++) {
    const next: number[] = [];
    for (const source of front) {
      for (let e = connectome.indptr[source]!; e < connectome.indptr[source + 1]!; e++) {
        const target = connectome.targets[e]!;
        if (hops[target] !== 255) continue;
        hops[target] = hop;
        next.push(target);
      }
    }
    front = next;
  }
  return hops;
}

function bytes(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
