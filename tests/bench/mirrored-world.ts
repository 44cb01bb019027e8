import type {
  ControlBatch,
  Environment,
  EnvironmentDescriptor,
  Observation,
  PortControl,
} from '../../engine/contract/environment.ts';

/**
 * The same world seen in a mirror: pictures are flipped, left and right of each pad are exchanged. Whoever plays in it
 * stands, moves and sees on the other side of the real world, whose memory image stays true. Sound is left as it is: no
 * fly hears it.
 */
export function mirrorWorld(world: Environment): Environment {
  const { descriptor } = world;
  const flipped = async (observation: Promise<Observation>): Promise<Observation> =>
    flip(await observation, descriptor);
  return {
    ...world,
    boot: () => flipped(world.boot()),
    advance: (batch) => flipped(world.advance(exchangeSides(batch, descriptor))),
    restore: (bytes) => flipped(world.restore(bytes)),
    restoreSlot: (slotId) => flipped(world.restoreSlot(slotId)),
  };
}

function flip(observation: Observation, { views }: EnvironmentDescriptor): Observation {
  return {
    ...observation,
    views: observation.views.map((pixels, view) => {
      const { widthPx, heightPx } = views[view]!;
      const from = new Uint32Array(pixels.buffer, pixels.byteOffset, widthPx * heightPx);
      const to = new Uint32Array(from.length);
      for (let row = 0; row < from.length; row += widthPx) {
        to.set(from.subarray(row, row + widthPx).toReversed(), row);
      }
      return new Uint8Array(to.buffer);
    }),
  };
}

function exchangeSides(batch: ControlBatch, { ports }: EnvironmentDescriptor): ControlBatch {
  return { ...batch, ports: batch.ports.map((control, i) => exchange(control, ports[i]!.buttons)) };
}

function exchange(control: PortControl, names: readonly string[]): PortControl {
  const opposite: Readonly<Record<string, string>> = { left: 'right', right: 'left' };
  const buttons = names.map((name) => control.buttons[names.indexOf(opposite[name] ?? name)]!);
  return { ...control, buttons };
}
