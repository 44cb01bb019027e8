import type { GroupCapture } from '../../engine/group-capture.ts';

type Arrays = readonly (Uint8Array | Float32Array | Float64Array)[];

/** Every array of a capture, the world's first, then agent by agent. */
export function captureArrays({ agents, environment }: GroupCapture): Arrays {
  return [
    environment,
    ...agents.flatMap(({ brain }) => {
      const { membrane, refractory, lastSpikeMs, visualDrive, plasticity } = brain;
      return [membrane, refractory, lastSpikeMs, visualDrive, plasticity.gains, plasticity.traces, plasticity.touched];
    }),
  ];
}

/** Buffers that can change threads without a copy: those that hold one array and nothing else. */
export function captureBuffers(capture: GroupCapture): ArrayBuffer[] {
  return captureArrays(capture).flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
