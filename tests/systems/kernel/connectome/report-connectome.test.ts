import { expect, test } from 'vitest';
import { reportConnectome } from '../../../../systems/kernel/connectome/report-connectome.ts';
import { toyParts } from './toy-bundle.ts';

test('the toy report counts by hand: degrees, signs, reciprocity, plastic candidates', () => {
  const { graph, meta } = toyParts();
  const report = reportConnectome({ ...graph, roles: new Map(Object.entries(meta.roles)) });
  // edges 0->1 (10), 0->2 (-5), 0->3 (20), 1->3 (10), 2->1 (5)
  expect(report).toMatchObject({ neurons: 4, edges: 5, meanDegree: 1.25, selfEdges: 0, reciprocity: 0 });
  expect(report.outDegree).toMatchObject({ mean: 1.25, max: 3 });
  expect(report.inDegree.max).toBe(2);
  expect(report.contacts).toMatchObject({ mean: 10, median: 10, max: 20 });
  expect([report.negativeEdges, report.negativeContacts]).toEqual([0.2, 0.1]);
  expect(report.kenyonToMbon).toMatchObject({ pairs: 2, outPerSource: { max: 2 }, inPerTarget: { max: 1 } });
  expect(report.mbonToMbon.pairs).toBe(1);
  expect(report.plasticCandidates).toBe(1);
  expect(report.roleSizes).toEqual({ kenyon: 1, mbon: 2, motor: 1, command_0: 1 });
});

test('a mutual pair counts twice and a self-edge not at all, in rows of any order', () => {
  const report = reportConnectome({
    indptr: Uint32Array.of(0, 3, 4, 4),
    targets: Uint32Array.of(2, 1, 0, 0),
    weights: Int16Array.of(5, 5, 5, 5),
    roles: new Map(),
  });
  expect(report).toMatchObject({ edges: 4, selfEdges: 1, reciprocity: 0.5, plasticCandidates: 0 });
});

test('an empty graph has a report of zeros', () => {
  const nothing = {
    indptr: Uint32Array.of(0),
    targets: new Uint32Array(0),
    weights: new Int16Array(0),
    roles: new Map(),
  };
  expect(reportConnectome(nothing)).toMatchObject({ neurons: 0, edges: 0, meanDegree: 0, reciprocity: 0 });
});
