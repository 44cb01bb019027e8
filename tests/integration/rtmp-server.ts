import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const MODULES = [
  '/usr/lib/nginx/modules/ngx_rtmp_module.so',
  '/usr/lib64/nginx/modules/ngx_rtmp_module.so',
  '/usr/share/nginx/modules/ngx_rtmp_module.so',
];

/** Why nginx-rtmp cannot be used here, or null. */
export function missingRtmpServer(): string | null {
  if (spawnSync('nginx', ['-v']).status !== 0) return 'nginx is not installed';
  return rtmpModule() === null ? 'the nginx rtmp module is not installed' : null;
}

function rtmpModule(): string | null {
  return MODULES.find((file) => fs.existsSync(file)) ?? null;
}

/** A real nginx-rtmp on loopback. `live` records what it receives, `sink` keeps nothing, `closed` refuses every publisher. */
export type RtmpServer = {
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Recorded FLV files, oldest first. */
  recordings(): string[];
  remove(): Promise<void>;
};

export async function createRtmpServer(): Promise<RtmpServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-rtmp-'));
  const records = path.join(folder, 'records');
  const port = await freePort();
  const config = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  let child: ReturnType<typeof spawn> | null = null;
  let runs = 0;

  async function stop(): Promise<void> {
    if (child === null) return;
    const ending = child;
    child = null;
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = once(ending, 'exit');
    ending.kill('SIGTERM');
    await gone;
  }

  return {
    port,
    async start() {
      runs++;
      const record = path.join(records, `run-${runs}`); // its own names last only a second
      fs.mkdirSync(record, { recursive: true });
      fs.writeFileSync(
        config,
        `load_module ${rtmpModule()};
${user} daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log warn;
events { worker_connections 64; }
rtmp { server { listen 127.0.0.1:${port}; chunk_size 4096;
  application live { live on; record all; record_path ${record}; record_unique on; wait_key on; }
  application closed { live on; deny publish all; }
  application sink { live on; }
} }
`,
      );
      child = spawn('nginx', ['-c', config, '-p', folder, '-e', path.join(folder, 'start.log')], { stdio: 'ignore' });
      await waitForPort(port, () => child?.exitCode ?? null);
    },
    stop,
    recordings: () =>
      fs
        .readdirSync(records, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.flv'))
        .sort()
        .map((name) => path.join(records, name)),
    async remove() {
      await stop();
      if (runs > 0) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitForPort(port: number, exitCode: () => number | null): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (exitCode() !== null) throw new Error(`nginx ended with ${exitCode()} before it listened`);
    const socket = net.connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nginx does not listen on ${port}`);
}

/** Accepts one publisher as far as its connect command and returns what that says. */
export async function readConnect(): Promise<{ readonly port: number; readonly command: Promise<Buffer> }> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const command = new Promise<Buffer>((resolve) => {
    server.once('connection', (socket) => {
      let got = Buffer.alloc(0);
      let answered = false;
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        got = Buffer.concat([got, chunk]);
        if (!answered && got.length >= 1_537) {
          answered = true;
          socket.write(Buffer.concat([Buffer.of(3), Buffer.alloc(1_536), got.subarray(1, 1_537)]));
        }
        if (got.length < 3_073 + 12) return;
        const length = got.readUIntBE(3_073 + 4, 3);
        const body = got.subarray(3_073 + 12);
        if (body.length < length + Math.ceil(length / 128) - 1) return;
        const parts: Buffer[] = [];
        for (let at = 0; at < length + Math.ceil(length / 128) - 1; at += 129) parts.push(body.subarray(at, at + 128));
        resolve(Buffer.concat(parts).subarray(0, length));
        socket.destroy();
        server.close();
      });
    });
  });
  return { port: (server.address() as net.AddressInfo).port, command };
}

/** A TCP stretch between us and the server that can stop reading, as a dying ingest does. */
export type Pipe = { readonly port: number; pause(): void; resume(): void; close(): Promise<void> };

export async function createPipe(toPort: number): Promise<Pipe> {
  const sockets = new Set<net.Socket>();
  let paused = false;
  const server = net.createServer((near) => {
    const far = net.connect(toPort, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.end(); // what is on its way arrives
      });
      socket.on('data', (chunk) => other.write(chunk));
    }
    if (paused) near.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    pause() {
      paused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      paused = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
