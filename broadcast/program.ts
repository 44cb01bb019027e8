import { CodecParameters } from 'node-av';
import type { Packet } from 'node-av';
import type { Clock } from '../engine/clock.ts';
import { DeviceError, InvariantError, describeError } from '../engine/errors.ts';
import { createAudioEncoder } from './encode/audio-encoder.ts';
import type { EncodeOptions } from './encode/encode-options.ts';
import { AUDIO_RATE_HZ, checkEncodeOptions } from './encode/encode-options.ts';
import type { Tracks } from './encode/encoded-packet.ts';
import { releasePacket, retainPacket } from './encode/encoded-packet.ts';
import { isSessionLoss, shouldFallBack } from './encode/fallback.ts';
import { createInterleaver } from './encode/interleave.ts';
import { silenceNativeLog } from './encode/native-log.ts';
import { nvenc } from './encode/nvenc.ts';
import type { Candidate } from './encode/open-encoder.ts';
import { allowedCandidates, openEncoder } from './encode/open-encoder.ts';
import { createPictureHash } from './encode/picture-hash.ts';
import type { VideoCodec } from './encode/video-codec.ts';
import type { VideoEncoder } from './encode/video-encoder.ts';
import { createVideoEncoder } from './encode/video-encoder.ts';
import { x264 } from './encode/x264.ts';
import type { Output, OutputEvent, OutputLeg, OutputSpec, OutputStats } from './outputs/output.ts';
import { openPreview } from './outputs/preview.ts';
import { openRecording } from './outputs/recording.ts';
import type { Connect } from './outputs/rtmp-connection.ts';
import { connectRtmp } from './outputs/rtmp-connection.ts';
import { openUplink } from './outputs/uplink.ts';
import type { AlarmEvent, OutputProbe, ProbeReport } from './probe/output-probe.ts';
import { createOutputProbe } from './probe/output-probe.ts';

export type ProgramEvent =
  | OutputEvent
  | AlarmEvent
  | { readonly kind: 'encoder-opened'; readonly backend: 'nvenc' | 'x264' }
  | { readonly kind: 'encoder-fallback'; readonly from: 'nvenc'; readonly to: 'x264'; readonly detail: string };

export type ProgramOptions = EncodeOptions & {
  readonly clock: Clock;
  readonly onEvent: (event: ProgramEvent) => void;
  /** Replaced in tests. */
  readonly devices?: {
    readonly candidates?: readonly Candidate[];
    readonly connect?: Connect;
    readonly random?: () => number;
  };
};

export type ProgramStats = {
  readonly backend: 'nvenc' | 'x264';
  /** 1 after NVENC gave way to x264. */
  readonly fallbacks: number;
  readonly frames: number;
  /** Frames whose picture differed from the one before (spec: broadcast.md 41). */
  readonly changedFrames: number;
  readonly encodedFrames: number;
  /** Pictures inside the encoder: lookahead and reordering. */
  readonly queueDepth: number;
  /** Measured over the last seconds, 1,000 bit/s. */
  readonly videoKbps: number;
  readonly audioSamples: number;
  /** Silence added because no sound was handed in for the pictures, ms. */
  readonly audioPaddedMs: number;
  readonly outputs: readonly OutputStats[];
  /** Latest decode of what was encoded; null before the first. */
  readonly probe: ProbeReport | null;
};

/** What is on air: one video and one audio encoder, and every output that gets their packets. */
export type Program = {
  /**
   * Encodes the next frame, 1/fps after the one before. Resolves when the caller may overwrite `rgba` and send another;
   * no output can delay it. @throws DeviceError ENCODER_FAILED when the encoder is lost for good
   */
  video(rgba: Uint8Array): Promise<void>;
  /** Appends interleaved stereo at 48 kHz; sample 0 belongs to frame 0. */
  audio(interleavedStereo48k: Float32Array): void;
  /** A recording begins with the newest keyframe before this call, the others with the next. @throws ConfigError RTMP_URL */
  addOutput(spec: OutputSpec): Output;
  /** Finishes and closes one output within 2 s; unknown ids are ignored. */
  removeOutput(id: string): Promise<void>;
  /** Decodes the last seconds now, e.g. before going live (spec: broadcast.md 91). */
  probeNow(): Promise<ProbeReport>;
  stats(): ProgramStats;
  /** Flushes the encoders, finishes every file and connection within 2 s. */
  close(): Promise<void>;
};

/** Longest wait for an output to finish, ms. */
const CLOSE_LIMIT_MS = 2_000;
/** Sound may trail the picture by this much before silence is added, ms. */
const MAX_AUDIO_LAG_MS = 500;
/** Window of the measured rate, frames. */
const RATE_WINDOW_SECONDS = 5;

/**
 * Opens the encoders. Outputs may come and go at any time.
 * @throws ConfigError ENCODER_OPTION
 * @throws DeviceError ENCODER_NONE
 */
export async function createProgram(options: ProgramOptions): Promise<Program> {
  checkEncodeOptions(options);
  silenceNativeLog();
  const { clock, fps, onEvent } = options;
  const candidates = allowedCandidates(options, options.devices?.candidates ?? [nvenc, x264]);
  const audioBackend = await createAudioEncoder(options.audioKbps, onAudioPacket);
  const audioParameters = parametersOf(audioBackend.context);
  const legs = new Map<string, OutputLeg>();
  const submittedUnixMs = new Float64Array(256);
  const hash = createPictureHash();
  const rateBytes = new Float64Array(fps * RATE_WINDOW_SECONDS);
  let nextId = 1;
  let frames = 0;
  let changedFrames = 0;
  let encodedFrames = 0;
  let paddedSamples = 0;
  let fallbacks = 0;
  let closing: Promise<void> | null = null;
  let encoder!: VideoEncoder;
  let tracks!: Tracks;
  let openedMs = clock.nowMs();

  const probe: OutputProbe = createOutputProbe({ clock, fps, onAlarm: onEvent });

  const interleaver = createInterleaver((encoded) => {
    probe.offer(encoded);
    for (const leg of legs.values()) leg.push(encoded);
  });

  function onVideoPacket(packet: Packet): void {
    const index = Number(packet.pts);
    rateBytes[encodedFrames % rateBytes.length] = packet.size;
    encodedFrames++;
    interleaver.push(
      retainPacket({
        track: 'video',
        tracks,
        packet,
        dtsMs: (Number(packet.dts) * 1_000) / fps,
        ptsMs: (index * 1_000) / fps,
        keyframe: packet.isKeyframe,
        bytes: packet.size,
        submittedUnixMs: submittedUnixMs[index % submittedUnixMs.length]!,
      }),
    );
  }

  function onAudioPacket(packet: Packet): void {
    interleaver.push(
      retainPacket({
        track: 'audio',
        tracks,
        packet,
        dtsMs: (Number(packet.dts) * 1_000) / AUDIO_RATE_HZ,
        ptsMs: (Number(packet.pts) * 1_000) / AUDIO_RATE_HZ,
        keyframe: true,
        bytes: packet.size,
        submittedUnixMs: 0,
      }),
    );
  }

  function install(codec: VideoCodec): void {
    encoder = createVideoEncoder(codec, options, onVideoPacket);
    tracks = {
      video: parametersOf(codec.context),
      audio: audioParameters,
      fps,
      videoKbps: options.videoKbps,
      audioKbps: options.audioKbps,
    };
    openedMs = clock.nowMs();
    onEvent({ kind: 'encoder-opened', backend: codec.name });
  }

  install(await openEncoder(options, candidates));

  /** NVENC that dies young gives way to x264, once (spec: broadcast.md 26 to 28). */
  async function fallBack(error: unknown): Promise<void> {
    const ageMs = clock.nowMs() - openedMs;
    if (!shouldFallBack({ backend: encoder.name, ageMs, fallbacks, choice: options.encoder })) throw error;
    const software = candidates.filter((candidate) => candidate.name === 'x264');
    const codec = await openEncoder(options, software);
    fallbacks++;
    encoder.close();
    onEvent({ kind: 'encoder-fallback', from: 'nvenc', to: 'x264', detail: describeError(error) });
    install(codec);
  }

  function padAudio(): void {
    const behind = (frames * AUDIO_RATE_HZ) / fps - audioBackend.samples();
    if (behind <= (MAX_AUDIO_LAG_MS * AUDIO_RATE_HZ) / 1_000) return;
    const samples = Math.ceil(behind);
    paddedSamples += samples;
    audioBackend.append(new Float32Array(2 * samples));
  }

  return {
    async video(rgba) {
      if (closing !== null) throw new InvariantError('PROGRAM_CLOSED', 'a picture was handed in after close.');
      submittedUnixMs[frames % submittedUnixMs.length] = clock.unixMs();
      if (hash.changed(rgba)) changedFrames++;
      await audioBackend.settled(); // sound keeps up even when nothing paces the pictures
      try {
        await encoder.encode(rgba, BigInt(frames));
      } catch (error) {
        if (!(error instanceof DeviceError) || !isSessionLoss(error)) throw error;
        await fallBack(error);
        await encoder.encode(rgba, BigInt(frames));
      }
      frames++;
      padAudio();
    },
    audio(interleaved) {
      if (closing === null) audioBackend.append(interleaved);
    },
    addOutput(spec) {
      const id = `output-${nextId++}`;
      const leg = openLeg(spec, id);
      legs.set(id, leg);
      if (spec.kind === 'recording') {
        for (const encoded of probe.newestGop()) {
          leg.push(encoded);
          releasePacket(encoded);
        }
      }
      return { id, stats: () => leg.stats() };
    },
    async removeOutput(id) {
      const leg = legs.get(id);
      if (leg === undefined) return;
      legs.delete(id);
      await leg.close(CLOSE_LIMIT_MS);
    },
    probeNow: () => probe.run(),
    stats: () => ({
      backend: encoder.name,
      fallbacks,
      frames,
      changedFrames,
      encodedFrames,
      queueDepth: frames - encodedFrames,
      videoKbps: measuredKbps(),
      audioSamples: audioBackend.samples(),
      audioPaddedMs: (paddedSamples * 1_000) / AUDIO_RATE_HZ,
      outputs: [...legs.values()].map((leg) => leg.stats()),
      probe: probe.latest(),
    }),
    close() {
      closing ??= shut();
      return closing;
    },
  };

  function openLeg(spec: OutputSpec, id: string): OutputLeg {
    switch (spec.kind) {
      case 'rtmp':
        return openUplink(spec, {
          id,
          clock,
          onEvent,
          tracks: () => tracks,
          connect: options.devices?.connect ?? connectRtmp,
          random: options.devices?.random ?? Math.random,
        });
      case 'recording':
        return openRecording(spec, { id, clock, onEvent });
      case 'preview':
        return openPreview(spec, { id, clock, onEvent });
    }
  }

  function measuredKbps(): number {
    const counted = Math.min(encodedFrames, rateBytes.length);
    if (counted === 0) return 0;
    let bytes = 0;
    for (let i = 0; i < counted; i++) bytes += rateBytes[i]!;
    return (bytes * 8 * fps) / counted / 1_000;
  }

  async function shut(): Promise<void> {
    try {
      await encoder.flush();
      await audioBackend.flush();
    } finally {
      interleaver.flush();
      await probe.close();
      await Promise.all([...legs.values()].map((leg) => leg.close(CLOSE_LIMIT_MS)));
      encoder.close();
      audioBackend.close();
    }
  }
}

function parametersOf(context: Parameters<CodecParameters['fromContext']>[0]): CodecParameters {
  const parameters = new CodecParameters();
  parameters.alloc();
  const code = parameters.fromContext(context);
  if (code < 0) throw new DeviceError('ENCODER_NONE', `the encoder described itself wrongly (error ${code}).`);
  return parameters;
}
