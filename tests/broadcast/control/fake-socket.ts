import type { ViewerSocket } from '../../../broadcast/control/preview-relay.ts';

/** A viewer's end of a WebSocket: what arrived, and how much it has not read yet. */
export type FakeSocket = ViewerSocket & {
  readonly received: (string | Uint8Array)[];
  bufferedAmount: number;
  leave(): void;
};

export function createFakeSocket(): FakeSocket {
  const closers: (() => void)[] = [];
  const received: (string | Uint8Array)[] = [];
  const socket = {
    received,
    bufferedAmount: 0,
    send: (data: string | Uint8Array) => void received.push(data),
    on(name: string, handler: () => void) {
      if (name === 'close') closers.push(handler);
      return socket;
    },
    close: () => socket.leave(),
    leave: () => closers.forEach((close) => close()),
  };
  return socket as unknown as FakeSocket;
}
