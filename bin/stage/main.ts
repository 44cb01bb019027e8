import { Socket } from 'node:net';
import { systemClock } from '../../engine/clock.ts';
import { describeError, isFlyError } from '../../engine/errors.ts';
import { openChannel } from '../../engine/replica/channel.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { growGeometry } from '../../systems/kernel/connectome/grow-geometry.ts';
import { loadBundle } from '../../systems/kernel/connectome/load-bundle.ts';
import { runStage } from './run-stage.ts';
import type { RunningStage } from './run-stage.ts';
import type { StageOrder, StageReport } from './protocol.ts';

// The stage child: draws, mixes and encodes what the session commits. It may be killed at any time; the session only
// starts another. Its parent decides when it ends, so a terminal's Ctrl-C is left to the parent.
process.title = 'fly-stage';
process.on('SIGINT', () => undefined);

const PARENT_PIPE = 3;
const channel = openChannel(new Socket({ fd: PARENT_PIPE, readable: true, writable: true }), {
  onMessage: (message) => void handle(message).catch(fail),
  // The session is gone: finish the files and end.
  onClose: () => void finish(),
});

let running: Promise<RunningStage> | null = null;
let ending = false;

process.on('SIGTERM', () => void finish());

function report(body: StageReport, preview?: Uint8Array): void {
  channel.send({
    header: body,
    attachments: preview === undefined ? [] : [{ kind: 'preview', index: 0, bytes: preview }],
  });
}

async function handle(message: WireMessage): Promise<void> {
  const order = message.header as unknown as StageOrder;
  if (order.type === 'stage-config') {
    running = runStage({ config: order.config, clock: systemClock, report, onFailure: fail });
    await running;
    return;
  }
  if (running === null) return;
  const stage = await running;
  switch (order.type) {
    case 'stage-geometry': {
      const { identity, neurons, viewer, roles, retina } = await loadBundle(order.bundleFolder);
      stage.setGeometry(order.agentIndex, { neurons, viewer, roles, retina }, identity);
      return;
    }
    case 'stage-growing':
      stage.setGeometry(order.agentIndex, growGeometry(order.seed), null);
      return;
    case 'stage-preview':
      stage.setPreview(order.wanted);
      return;
    case 'stage-stop':
      await finish();
      return;
    default:
      stage.receive(message);
  }
}

async function finish(): Promise<void> {
  if (ending) return;
  ending = true;
  if (running !== null) {
    const stats = await (await running).stop();
    report({ type: 'stage-done', stats });
  }
  setTimeout(() => process.exit(0), 50);
}

function fail(error: unknown): void {
  report({ type: 'stage-failed', code: isFlyError(error) ? error.code : 'INTERNAL', text: describeError(error) });
  setTimeout(() => process.exit(1), 50);
}
