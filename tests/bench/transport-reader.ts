import { Socket } from 'node:net';
import { openChannel } from '../../engine/replica/channel.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';

// The other end of transport.ts: decodes what it is sent and, once the sender has gone, prints when each snapshot was
// complete: [sequence, nanoseconds of the machine's monotonic clock].

const PARENT_PIPE = 3;
const received: [sequence: number, atNs: string][] = [];

openChannel(new Socket({ fd: PARENT_PIPE, readable: true, writable: true }), {
  onMessage({ header }) {
    if (header.type === 'snapshot') received.push([(header as Snapshot).sequence, String(process.hrtime.bigint())]);
  },
  onClose: () => process.stdout.write(JSON.stringify(received)),
});
