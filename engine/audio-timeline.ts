import type { AudioDescriptor, AudioMark } from './contract/environment.ts';
import { DataError, InvariantError } from './errors.ts';
import type { RationalNs } from './rational.ts';

/** Where a stream stands: the sample its next chunk begins with, counted from the episode's audio origin. */
export type AudioPosition = { readonly streamId: string; readonly nextSample: number };

/**
 * The sample positions of one world's streams. Chunks never overlap or go back; a discontinuity marks samples that were
 * really skipped and nothing else (spec: session.md 12.2). Saved in every capture.
 */
export type AudioTimeline = {
  /**
   * Takes one chunk. Without a mark of the environment it continues exactly, or is the first after a jump of the world.
   * @returns whether it has to be marked: it has sound, and does not continue the chunk before
   * @throws InvariantError AUDIO_TIMELINE for an overlap, an unmarked gap, a mark where nothing was skipped, or a
   *   missing mark after a restore or rollback
   */
  accept(stream: number, frames: number, mark: AudioMark | undefined): boolean;
  /** The world jumped (a slot): positions go on, the next chunk of every stream is marked. */
  jump(): void;
  /** A fresh episode: every stream begins at its first sample. */
  begin(): void;
  positions(): AudioPosition[];
  /**
   * Back to saved positions; the next chunk of every stream is marked.
   * @throws DataError AUDIO_POSITION when a declared stream has none; nothing has changed then
   */
  restore(saved: readonly AudioPosition[]): void;
};

type Expectation = 'exact' | 'marked' | 'either';

export function createAudioTimeline(streams: readonly AudioDescriptor[]): AudioTimeline {
  const next = new Float64Array(streams.length);
  const expected: Expectation[] = streams.map(() => 'either');
  return {
    accept(stream, frames, mark) {
      const isJump = expected[stream] === 'marked';
      if (mark !== undefined) refuseBadMark(streams[stream]!.streamId, mark, next[stream]!, expected[stream]!);
      next[stream] = (mark?.firstSample ?? next[stream]!) + frames;
      if (frames === 0) return false; // a step too short for a sample: the next one is the first
      expected[stream] = 'exact';
      return mark?.discontinuity ?? isJump;
    },
    jump: () => void expected.fill('marked'),
    begin() {
      next.fill(0);
      expected.fill('either');
    },
    positions: () => streams.map(({ streamId }, i) => ({ streamId, nextSample: next[i]! })),
    restore(saved) {
      const found = streams.map(({ streamId }) => positionOf(saved, streamId));
      next.set(found);
      expected.fill('marked');
    },
  };
}

/** Positions for an imported save of another program, which has none: floor(k * step * rate) (spec: session.md 12.2). */
export function positionsAt(
  streams: readonly AudioDescriptor[],
  step: RationalNs,
  boundary: bigint,
): readonly AudioPosition[] {
  return streams.map(({ streamId, sampleRateHz }) => ({
    streamId,
    nextSample: Number((boundary * step.numerator * BigInt(sampleRateHz)) / (step.denominator * 1_000_000_000n)),
  }));
}

function refuseBadMark(
  streamId: string,
  { firstSample, discontinuity }: AudioMark,
  next: number,
  expected: Expectation,
): void {
  const at = `stream ${streamId} begins at sample ${firstSample}, its last chunk ended at ${next}`;
  if (!Number.isSafeInteger(firstSample)) throw refused(at);
  if (firstSample < next) throw refused(`${at}: the chunks overlap`);
  if (firstSample > next && !discontinuity) throw refused(`${at}: samples are missing and not marked as skipped`);
  if (expected === 'marked' && !discontinuity) throw refused(`${at}: the first chunk after a jump is not marked`);
  if (expected === 'exact' && discontinuity && firstSample === next) {
    throw refused(`${at}: marked as skipped, though it continues exactly`);
  }
}

function positionOf(saved: readonly AudioPosition[], streamId: string): number {
  const nextSample = saved.find((position) => position.streamId === streamId)?.nextSample;
  if (nextSample !== undefined && Number.isSafeInteger(nextSample) && nextSample >= 0) return nextSample;
  throw new DataError(
    'AUDIO_POSITION',
    `the saved session has no sample position of stream ${streamId} (${String(nextSample)}); take another checkpoint.`,
  );
}

function refused(what: string): InvariantError {
  return new InvariantError('AUDIO_TIMELINE', `${what}.`);
}
