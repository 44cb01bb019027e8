import { createHistogram } from '../../engine/histogram.ts';
import type { DurationSummary } from '../../engine/histogram.ts';
import { createStage } from '../../scenes/stage.ts';
import { fakeDescriptor, fakeGeometry, fakeSnapshot, feed, openReplica } from '../scenes/fixture.ts';

export type PictureBenchRow = {
  readonly size: string;
  readonly frames: number;
  readonly cpuMsPerFrame: number;
  /** Against the time one frame may take at 30 fps. */
  readonly shareOfFrame: number;
  readonly drawMs: DurationSummary;
};

const SIZES = [
  [1_280, 720],
  [1_920, 1_080],
] as const;
const FRAME_MS = 1_000 / 30;
const FRAMES = 150;
const WARMUP_FRAMES = 20;

/** Draws the same snapshots at both sizes. */
export async function benchPicture(): Promise<PictureBenchRow[]> {
  const rows: PictureBenchRow[] = [];
  for (const [widthPx, heightPx] of SIZES) {
    const stage = await createStage({ widthPx, heightPx });
    const geometry = fakeGeometry();
    stage.setGeometry(0, geometry);
    const replica = openReplica(fakeDescriptor());
    const histogram = createHistogram();
    let cpuMs = 0;
    for (let frame = -WARMUP_FRAMES; frame < FRAMES; frame++) {
      const nowMs = (frame + WARMUP_FRAMES) * FRAME_MS;
      feed(replica, fakeSnapshot(frame + WARMUP_FRAMES + 1), nowMs, geometry);
      const before = process.cpuUsage();
      const startedMs = performance.now();
      stage.render(replica, nowMs);
      if (frame < 0) continue;
      histogram.record(performance.now() - startedMs);
      const { user, system } = process.cpuUsage(before);
      cpuMs += (user + system) / 1_000;
    }
    const cpuMsPerFrame = cpuMs / FRAMES;
    rows.push({
      size: `${heightPx}p`,
      frames: FRAMES,
      cpuMsPerFrame,
      shareOfFrame: cpuMsPerFrame / FRAME_MS,
      drawMs: histogram.summary(),
    });
    stage.close();
  }
  return rows;
}
