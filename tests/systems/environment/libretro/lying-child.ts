import { Socket } from 'node:net';
import { openChannel } from '../../../../engine/replica/channel.ts';

/** An emulator child that answers wrongly: how, the request's own type says. Beside it stands no core. */
const channel = openChannel(new Socket({ fd: 3 }), {
  onMessage({ header: { id, type } }) {
    const answer = (to: number, value: string): void =>
      channel.send({ header: { type: 'answer', id: to, value }, attachments: [] });
    const asked = Number(id);
    if (type === 'honest') answer(asked, 'true');
    if (type === 'twice') for (const value of ['first', 'second']) answer(asked, value);
    if (type === 'other') answer(asked + 7, 'of nobody');
    if (type === 'cached') answer(asked - 1, 'of the request before');
  },
  onClose: () => process.kill(process.pid, 'SIGKILL'),
});
