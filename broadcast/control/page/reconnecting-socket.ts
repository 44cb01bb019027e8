import { backoffMs } from './backoff.ts';

export type SocketHandlers = {
  readonly onOpen: () => void;
  readonly onMessage: (data: string | ArrayBuffer) => void;
  /** Called for every loss, including a failed attempt. */
  readonly onLost: () => void;
};

/** A WebSocket to our own server that comes back by itself, for ever. */
export type ReconnectingSocket = {
  /** Gives up the present connection and dials again; for one that is open but silent. */
  redial(): void;
};

export function openReconnectingSocket(path: string, handlers: SocketHandlers): ReconnectingSocket {
  let attempt = 0;
  let socket: WebSocket | null = null;

  function dial(): void {
    const mine = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')));
    mine.binaryType = 'arraybuffer';
    socket = mine;
    mine.onopen = () => handlers.onOpen();
    mine.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
      attempt = 0; // an open socket that says nothing is not yet a good one
      if (socket === mine) handlers.onMessage(message.data);
    };
    mine.onclose = () => {
      if (socket === mine) lose();
    };
  }

  function lose(): void {
    socket = null;
    handlers.onLost();
    setTimeout(dial, backoffMs(attempt++, Math.random()));
  }

  dial();
  return {
    redial() {
      const silent = socket;
      if (silent === null) return;
      lose();
      silent.close();
    },
  };
}
