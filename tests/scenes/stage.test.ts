import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReplica } from '../../engine/replica/replica.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { CANVAS_HEIGHT, CANVAS_WIDTH, INSET, RAIL_TEXT_X, box } from '../../scenes/layout.ts';
import { packed } from '../../scenes/raster/frame.ts';
import { createStage } from '../../scenes/stage.ts';
import type { Stage } from '../../scenes/stage.ts';
import { colour } from '../../scenes/theme.ts';
import {
  CHAT,
  HISTORY,
  fakeDescriptor,
  fakeEvent,
  fakeGeometry,
  fakeSnapshot,
  feed,
  gamePicture,
  openReplica,
} from './fixture.ts';
import type { DescriptorChanges } from './fixture.ts';
import { contrast, downscale, overlap, pixel, wrongGamePixels } from './picture-checks.ts';
import { pictureHash } from './picture-hash.ts';

const FRAME_MS = 1_000 / 30;
let stages: Readonly<Record<1080 | 720, Stage>>;

beforeAll(async () => {
  stages = {
    1080: await createStage({ widthPx: 1_920, heightPx: 1_080 }),
    720: await createStage({ widthPx: 1_280, heightPx: 720 }),
  };
  stages[1080].setGeometry(0, fakeGeometry());
  stages[720].setGeometry(0, fakeGeometry());
}, 60_000);

afterAll(() => {
  stages[1080].close();
  stages[720].close();
});

let revision = 1;

/** A replica of its own revision, so that the stage builds a fresh layout for every test. */
function open(changes: DescriptorChanges = {}): {
  replica: Replica;
  show: (snapshot?: Partial<Snapshot>, nowMs?: number) => void;
} {
  revision++;
  const replica = openReplica(fakeDescriptor({ ...changes, revision }));
  let sequence = 0;
  return {
    replica,
    show: (snapshot = {}, nowMs = 0) => {
      sequence += 2;
      feed(
        replica,
        fakeSnapshot(sequence, { revision, events: sequence === 2 ? HISTORY : [], ...snapshot }),
        nowMs,
        fakeGeometry(),
      );
    },
  };
}

function wordsOf(stage: Stage): string[] {
  return stage.describe().texts.map(({ words }) => words);
}

describe('the game picture', () => {
  test.each([
    { height: 1080 as const, width: 1_920, scale: 5, left: 48, top: 88 },
    { height: 720 as const, width: 1_280, scale: 3, left: 58, top: 83 },
  ])(
    'at $height every game pixel is a square of whole px, nearest neighbour (show.md 6, 7)',
    ({ height, width, scale, left, top }) => {
      const { replica, show } = open();
      show();
      const rgba = stages[height].render(replica, 0);
      expect(wrongGamePixels(rgba, width, gamePicture(2), { left, top, scale })).toBe(0);
    },
  );
});

describe('what is said', () => {
  test('a grown twin is named on the strip and under the map, and never called measured', () => {
    const { replica, show } = open({ origin: 'grown' });
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720])).toContain('GROWN TWIN');
    expect(wordsOf(stages[720])).toContain('grown twin, not a measured wiring');
    expect(wordsOf(stages[720]).join(' ')).not.toMatch(/real measured brain/);
  });

  test('a measured brain has no twin chip', () => {
    const { replica, show } = open({ origin: 'measured' });
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720])).not.toContain('GROWN TWIN');
  });

  test('chat off removes the panel and an empty chat keeps an empty frame (show.md 79, 186)', () => {
    const off = open({ chat: false });
    off.show({ chat: CHAT });
    stages[720].render(off.replica, 0);
    expect(stages[720].describe().texts.some(({ panel }) => panel === 'chat')).toBe(false);
    expect(wordsOf(stages[720])).toContain('WHAT IS REAL');

    const silent = open({ chat: true });
    silent.show({ chat: [] });
    const rgba = stages[1080].render(silent.replica, 0);
    expect(stages[1080].describe().texts.some(({ panel }) => panel === 'chat')).toBe(false);
    expect(pixel(rgba, 1_920, box.chat.x + 100, box.chat.y + 4)).toBe(packed(colour.bezel));
    expect(pixel(rgba, 1_920, box.chat.x + 100, box.chat.y + 120)).toBe(packed(colour.background));
  });

  test('a line that fails its check is dropped whole (show.md 80, 187)', () => {
    const { replica, show } = open({ chat: true });
    show({ chat: [CHAT[0]!, { id: 9, by: 'spammer', text: 'come to www.example', bot: false }] });
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720])).toContain('NIGHTSHIFT_ANA');
    expect(wordsOf(stages[720])).not.toContain('SPAMMER');
  });

  test('raw mode says RAW on the strip and in one pad cell (show.md 20, 83)', () => {
    const { replica, show } = open();
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720]).filter((words) => words === 'RAW')).toHaveLength(2);
  });

  test('a slow host is shown with its factor (show.md 160)', () => {
    const { replica, show } = open();
    show({ realTimeFactor: 0.91 });
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720])).toContain('SLOW HOST 0.91x');
  });

  test('choices that are frozen in one order are said on the strip and under the ladder, others by their entropy', () => {
    const { replica, show } = open();
    const agent = fakeSnapshot(1).agents[0]!;
    const seen = new Map<boolean, string[]>([true, false].map((frozen) => [frozen, []]));
    for (const frozen of [true, false]) {
      for (let second = 0; second < 110; second += 2.5) {
        show({ agents: [{ ...agent, choices: { entropyBits: 1.62, frozen } }] }, second * 1_000);
        stages[720].render(replica, second * 1_000);
        seen.get(frozen)!.push(...wordsOf(stages[720]));
      }
    }
    expect(seen.get(true)).toEqual(
      expect.arrayContaining(['CHOICES FROZEN', 'choices frozen in one order', '1.62 bits']),
    );
    expect(seen.get(false)).not.toContain('choices frozen in one order');
    expect(seen.get(false)!.slice(-5)).not.toContain('CHOICES FROZEN');
  });

  test('a brain whose readout does not notice the picture is said under the ladder, one that sees is not (brain.md 8.1)', () => {
    for (const seeing of [false, true]) {
      const { replica, show } = open({ seeing });
      const seen = new Set<string>();
      for (let second = 0; second < 110; second += 2.5) {
        show({}, second * 1_000);
        stages[720].render(replica, second * 1_000);
        for (const words of wordsOf(stages[720])) seen.add(words);
      }
      expect(seen.has('the picture does not reach the readout')).toBe(!seeing);
    }
  });

  test('the rung line names the lowest unearned rung, and at the top neither arrow nor next (show.md 25, 26)', () => {
    const first = open();
    const { progress } = fakeSnapshot(1);
    first.show({ progress: { ...progress, earned: progress.earned.map((earned, rung) => earned && rung !== 4) } });
    stages[720].render(first.replica, 0);
    expect(wordsOf(stages[720])).toEqual(expect.arrayContaining(['6/17 Fig row', '>', 'Old well']));
    const top = open();
    top.show({ progress: { ...progress, rank: 17, earned: progress.earned.map(() => true) } });
    stages[720].render(top.replica, 0);
    expect(wordsOf(stages[720])).toContain('17/17 Harvest');
    expect(wordsOf(stages[720])).not.toContain('>');
  });

  test('an unearned lower rung is a hollow cell on the spine (show.md 66)', () => {
    const { replica, show } = open();
    const { progress } = fakeSnapshot(1);
    show({ progress: { ...progress, earned: progress.earned.map((earned, rung) => earned && rung !== 4) } });
    const rgba = stages[1080].render(replica, 0);
    const middle = (rung: number): number => {
      const pitch = (box.progress.width - 2 * RAIL_TEXT_X + 2) / 18;
      return pixel(
        rgba,
        1_920,
        Math.round(box.progress.x + RAIL_TEXT_X + rung * pitch + pitch / 2),
        box.progress.y + 86,
      );
    };
    expect(middle(3)).toBe(packed(colour.ok));
    expect(middle(4)).toBe(packed(colour.background));
    expect(middle(6)).toBe(packed(colour.ink));
  });
});

describe('the title strip when everything is on it (show.md 18 to 20, 160)', () => {
  const slow = { realTimeFactor: 0.6 };
  const { progress } = fakeSnapshot(1);
  const strip = (height: 1080 | 720): { words: string[]; faults: string[] } => {
    const texts = stages[height].describe().texts.filter(({ panel }) => panel === 'title-strip');
    const faults = texts.flatMap((each) =>
      texts.filter((other) => other !== each && overlap(each, other)).map(({ words }) => `${each.words} over ${words}`),
    );
    const mark = texts.find(({ id }) => id === 'wordmark')!;
    // a chip's frame stands 14 px before its words
    const near = texts.filter(({ id, x }) => id !== 'wordmark' && x - 14 < mark.x + mark.width + 8);
    return { words: texts.map(({ words }) => words), faults: [...faults, ...near.map(({ words }) => words)] };
  };

  test.each([
    {
      name: 'Windfall on a slow host',
      wordmark: 'A FLY BRAIN PLAYS WINDFALL',
      mode: 'in the level',
      kept: ['GROWN TWIN', 'SLOW HOST 0.60x', 'IN THE LEVEL'],
    },
    {
      name: 'a wordmark of 30 characters',
      wordmark: 'A FLY BRAIN PLAYS OTHER GAMES1',
      mode: 'a mode of many words here',
      kept: ['GROWN TWIN', '0.60x'],
    },
    {
      name: 'frozen choices too',
      wordmark: 'A FLY BRAIN PLAYS OTHER GAMES1',
      mode: 'safari zone',
      frozen: true,
      kept: ['GROWN TWIN', '0.60x', 'FROZEN', 'SAFARI ZONE'],
    },
  ])('$name: no chip reaches the wordmark, and the truth stays', ({ wordmark, mode, kept, frozen = false }) => {
    const { replica, show } = open({ macros: true, wordmark });
    const agent = fakeSnapshot(1).agents[0]!;
    show({ ...slow, progress: { ...progress, mode }, agents: [{ ...agent, choices: { entropyBits: 0, frozen } }] });
    for (const height of [1080, 720] as const) {
      stages[height].render(replica, 0);
      const { words, faults } = strip(height);
      expect(faults).toEqual([]);
      expect(words).toEqual(expect.arrayContaining([wordmark, ...kept]));
    }
  });

  test('the release goes first, then RAW, then the words before the factor', () => {
    const given = (wordmark: string, mode: string): string[] => {
      const { replica, show } = open({ wordmark });
      show({ ...slow, progress: { ...progress, mode } });
      stages[720].render(replica, 0);
      const chips = strip(720).words.filter((words) => words !== wordmark && words !== mode.toUpperCase());
      return chips.toSorted();
    };
    const mark = 'A'.repeat(30);
    expect(given('WINDFALL', 'boss')).toEqual(['GROWN TWIN', 'RAW', 'SLOW HOST 0.60x', 'v0.4.0']);
    expect(given(mark, 'boss')).toEqual(['GROWN TWIN', 'RAW', 'SLOW HOST 0.60x']);
    expect(given(mark, 'in the level')).toEqual(['GROWN TWIN', 'SLOW HOST 0.60x']);
    expect(given(mark, 'not in play at all')).toEqual(['0.60x', 'GROWN TWIN']);
  });
});

describe('a feed in trouble (show.md 84)', () => {
  test.each([
    {
      name: 'an error',
      headline: 'SIM ERROR',
      snapshot: { status: 'error' as const, statusReason: 'core fault' },
      connected: true,
      ageMs: 5_000,
    },
    { name: 'two silent seconds', headline: 'STALE FEED', snapshot: {}, connected: true, ageMs: 2_000 },
    { name: 'a closed connection', headline: 'FEED DOWN', snapshot: {}, connected: false, ageMs: 500 },
  ])('$name covers the title strip with $headline', ({ headline, snapshot, connected, ageMs }) => {
    const { replica, show } = open();
    show(snapshot);
    replica.connected = connected;
    const rgba = stages[1080].render(replica, ageMs);
    expect(wordsOf(stages[1080])).toContain(headline);
    expect(wordsOf(stages[1080])).not.toContain('A FLY BRAIN PLAYS WINDFALL');
    const plate = headline === 'STALE FEED' ? colour.warn : colour.alarm;
    expect(pixel(rgba, 1_920, box.title.x + 2, box.title.y + 2)).toBe(packed(plate));
  });

  test('just under two seconds the strip is its own', () => {
    const { replica, show } = open();
    show();
    stages[720].render(replica, 1_999);
    expect(wordsOf(stages[720])).toContain('A FLY BRAIN PLAYS WINDFALL');
  });
});

describe('words on screen', () => {
  test.each([true, false])(
    'stay inside the inset, out of the no-content zone and off each other over a tour of tabs, chat %s',
    (chat) => {
      const { replica, show } = open({ chat });
      const seen = new Set<string>();
      const faults = new Set<string>();
      for (let second = 0; second < 260; second += 2.5) {
        show({ chat: CHAT }, second * 1_000);
        stages[720].render(replica, second * 1_000);
        const { texts } = stages[720].describe();
        for (const each of texts) {
          seen.add(each.id);
          if (each.style.sizePx < 24) faults.add(`too small (show.md 126): ${each.words}`);
          if (each.x < INSET || each.x + each.width > CANVAS_WIDTH - INSET + 1) faults.add(`outside: ${each.words}`);
          if (each.y + each.height > CANVAS_HEIGHT - INSET) faults.add(`below the inset: ${each.words}`);
          if (overlap(each, box.noContent)) faults.add(`in the no-content zone (show.md 13): ${each.words}`);
          for (const other of texts) {
            if (other !== each && overlap(each, other)) faults.add(`${each.words} over ${other.words}`);
          }
        }
      }
      expect([...faults]).toEqual([]);
      for (const id of ['senses-note', 'map-count', 'ladder-0', 'describe-title']) expect(seen).toContain(id);
      expect(seen).not.toContain('macros-none'); // raw mode: not in the rotation
    },
  );

  test('labels have at most 24 characters, no full stop, exclamation mark or parenthesis (show.md 133)', () => {
    const { replica, show } = open();
    show();
    stages[720].render(replica, 0);
    for (const { words, style } of stages[720].describe().texts) {
      if (style.face !== 'label') continue;
      expect(words.length).toBeLessThanOrEqual(24);
      expect(words.replace(/\d\.\d/, '')).not.toMatch(/[.!()]/);
    }
  });

  test('no text changes more than 4 times a second although its value changes every frame (show.md 102)', () => {
    const { replica, show } = open();
    const changedAt = new Map<string, { words: string; atMs: number }>();
    for (let frame = 0; frame < 45; frame++) {
      const nowMs = frame * FRAME_MS;
      const agent = fakeSnapshot(1).agents[0]!;
      show({ agents: [{ ...agent, spikeCount: 9_000 + frame, populationRateHz: frame }], rungSeconds: frame }, nowMs);
      stages[720].render(replica, nowMs);
      for (const { panel, id, words } of stages[720].describe().texts) {
        const before = changedAt.get(panel + id);
        if (before !== undefined && before.words !== words) expect(nowMs - before.atMs).toBeGreaterThanOrEqual(250);
        if (before?.words !== words) changedAt.set(panel + id, { words, atMs: nowMs });
      }
    }
    expect(changedAt.get('tab-slotmap-count')!.words).not.toBe('9,000');
  });
});

test('a pressed button stays lit 250 ms after its release (show.md 81)', () => {
  const { replica, show } = open();
  const agent = fakeSnapshot(1).agents[0]!;
  const lit = (nowMs: number): boolean =>
    pixel(stages[1080].render(replica, nowMs), 1_920, box.buttons.x + 8, box.buttons.y + 4) === packed(colour.motor);
  show({ agents: [{ ...agent, appliedButtons: [true, false, false, false, false, false, false, false] }] }, 0);
  expect(lit(0)).toBe(true);
  show({ agents: [{ ...agent, appliedButtons: new Array<boolean>(8).fill(false) }] }, 85);
  expect(lit(85)).toBe(true);
  expect(lit(250)).toBe(true);
  expect(lit(251)).toBe(false);
});

test('a rollback owns the caption band as REWIND with what happened, a milestone is not cut short by it (show.md 89, 95, 118)', () => {
  const { replica, show } = open();
  const label = 'set back to the best place, lives lost';
  const back = fakeEvent(20, { kind: 'recovery', tier: 'notable', label, value: null, dedupeKey: 'rollback-1' });
  const words = (nowMs: number): string[] => {
    stages[1080].render(replica, nowMs);
    const { texts } = stages[1080].describe();
    for (const each of texts) {
      const over = texts.filter((other) => other !== each && overlap(each, other)).map((other) => other.words);
      expect(over, each.words).toEqual([]);
    }
    return wordsOf(stages[1080]);
  };
  show({}, 0);
  expect(words(0)).not.toContain('REWIND');
  show({ events: [back] }, 1_000);
  expect(words(1_000)).toEqual(expect.arrayContaining(['REWIND', label]));
  show({}, 4_200);
  expect(words(4_200)).not.toContain('REWIND');
  const milestone = fakeEvent(21, { kind: 'milestone', tier: 'moment', label: 'Fig ripe', value: null });
  show({ events: [milestone] }, 6_000);
  expect(words(6_000)).toContain('MILESTONE');
  show({ events: [{ ...back, id: 22, dedupeKey: 'rollback-2' }] }, 7_000);
  expect(words(7_000)).toContain('MILESTONE');
  expect(words(7_000)).not.toContain('REWIND');
});

describe('legibility on a phone (show.md 129, 131, 132)', () => {
  const regions = {
    game: box.game,
    progress: box.progress,
    'tab slot': box.tabSlot,
    events: box.events,
    chat: box.chat,
    macros: box.macros,
  };
  test.each([1080, 720] as const)(
    'at 397 px wide every critical region keeps RMS luminance contrast above 0.035, from %s',
    (height) => {
      const { replica, show } = open({ chat: true, macros: true });
      for (let frame = 0; frame < 12; frame++) {
        show({ chat: CHAT, events: frame === 0 ? [...HISTORY, fakeEvent(6)] : [] }, frame * FRAME_MS);
        stages[height].render(replica, frame * FRAME_MS);
      }
      const width = (height * 16) / 9;
      const small = downscale(stages[height].render(replica, 400), width, height, 397);
      for (const [name, region] of Object.entries(regions))
        expect(contrast(small, region), name).toBeGreaterThan(0.035);
    },
  );

  test('SENSES, LADDER and DESCRIBE keep it too', () => {
    const { replica, show } = open();
    const seen = new Map<string, number>();
    for (let second = 0; second < 260; second += 5) {
      show({}, second * 1_000);
      const rgba = stages[720].render(replica, second * 1_000);
      const { texts } = stages[720].describe();
      const tab = ['senses-note', 'ladder-0', 'describe-title'].find((id) => texts.some((each) => each.id === id));
      if (tab !== undefined) seen.set(tab, contrast(downscale(rgba, 1_280, 720, 397), box.tabSlot));
    }
    expect([...seen.keys()].toSorted()).toEqual(['describe-title', 'ladder-0', 'senses-note']);
    for (const value of seen.values()) expect(value).toBeGreaterThan(0.035);
  });
});

describe('determinism (show.md 184)', () => {
  test('the same replica sequence gives the same pixels, twice in a process and in another process', async () => {
    const first = await pictureHash();
    expect(await pictureHash()).toBe(first);
    const script = fileURLToPath(new URL('./picture-hash.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout).toBe(first);
  }, 60_000);
});

describe('without a committed world', () => {
  test('the starting scene ties the brain to real counts and lists the steps', () => {
    const replica = createReplica();
    replica.starting = {
      type: 'starting',
      showWordmark: 'A FLY BRAIN PLAYS WINDFALL',
      release: '0.4.0',
      headline: 'GROWING A BRAIN',
      grownShare: 86_338 / 139_255,
      done: 86_338,
      total: 139_255,
      line: 'neurons placed, seed 1',
      originLine: 'grown twin, not a measured wiring',
      steps: [{ label: 'brain growing', state: 'running', detail: '62 %' }],
    };
    stages[720].render(replica, 0);
    expect(stages[720].describe().layout).toBe('starting');
    expect(wordsOf(stages[720])).toEqual(
      expect.arrayContaining(['GROWING A BRAIN', '86,338', '139,255', 'brain growing', '62 %']),
    );
    for (const { x, y, height, words } of stages[720].describe().texts) {
      expect(x < box.noContent.width && y + height > box.noContent.y, words).toBe(false);
    }
  });

  test('between two runs the last picture stays and the true steps are listed', () => {
    const { replica, show } = open();
    show();
    replica.starting = {
      type: 'starting',
      showWordmark: 'TWO BRAINS ONE ORCHARD',
      release: '0.4.0',
      headline: 'INTERMISSION',
      grownShare: 62 / 100,
      done: 62,
      total: 100,
      line: 'neurons placed, seed 7',
      originLine: 'grown twins, not a measured wiring',
      steps: [
        { label: 'run sealed', state: 'done', detail: '0.4 s' },
        { label: 'first commit', state: 'waiting', detail: 'waits' },
      ],
    };
    for (const height of [1080, 720] as const) {
      stages[height].render(replica, 0);
      expect(stages[height].describe().layout).toBe('intermission');
      const { texts } = stages[height].describe();
      expect(wordsOf(stages[height])).toEqual(
        expect.arrayContaining(['INTERMISSION', 'last picture, rung 6, Fig row', 'run sealed', 'waits']),
      );
      for (const each of texts) {
        expect(overlap(each, box.noContent), each.words).toBe(false);
        expect(texts.filter((other) => other !== each && overlap(each, other)).map(({ words }) => words)).toEqual([]);
      }
    }
  });

  test('a sealed run is named with its step and its checkpoint, what comes with its name; every step is listed', () => {
    const { replica, show } = open();
    show();
    const steps = Array.from({ length: 11 }, (_, index) => ({
      label: `step ${index}`,
      state: 'waiting' as const,
      detail: 'waits',
    }));
    replica.starting = {
      type: 'starting',
      showWordmark: 'TWO FLY BRAINS ONE ORCHARD',
      release: '0.4.0',
      headline: 'INTERMISSION',
      done: 0,
      total: 0,
      grownShare: 0,
      line: '',
      originLine: '',
      steps,
      sealed: { showWordmark: 'A FLY BRAIN PLAYS WINDFALL', step: '281734', checkpoint: '4182' },
      next: { name: 'TWO BRAINS ONE ORCHARD' },
    };
    for (const height of [1080, 720] as const) {
      const rgba = stages[height].render(replica, 0);
      const { texts } = stages[height].describe();
      expect(wordsOf(stages[height])).toEqual(
        expect.arrayContaining([
          'SEALED',
          'A FLY BRAIN PLAYS WINDFALL, rung 6, Fig row',
          'checkpoint 4182 at step 281,734, try 4, day 3',
          'TWO BRAINS ONE ORCHARD',
          ...steps.map(({ label }) => label),
        ]),
      );
      for (const each of texts) {
        expect(overlap(each, box.noContent), each.words).toBe(false);
        expect(each.y + each.height).toBeLessThanOrEqual(CANVAS_HEIGHT - INSET);
        expect(texts.filter((other) => other !== each && overlap(each, other)).map(({ words }) => words)).toEqual([]);
      }
      // the plate stands over the picture, not under it
      const plate = texts.find(({ words }) => words === 'SEALED')!;
      const scale = height / 1_080;
      const beside = [Math.round((plate.x - 8) * scale), Math.round((plate.y + 8) * scale)] as const;
      expect(pixel(rgba, (height * 16) / 9, ...beside)).toBe(packed(colour.background));
    }
  });

  test('a snapshot of an earlier descriptor is not drawn under the new one', () => {
    const { replica, show } = open();
    show();
    replica.descriptor = fakeDescriptor({ revision: 9_999 });
    stages[720].render(replica, 120_000);
    expect(stages[720].describe().layout).toBe('starting');
  });

  test('with nothing announced the stage stands by', () => {
    stages[720].render(createReplica(), 60_000);
    expect(wordsOf(stages[720])).toContain('STANDBY');
  });
});

test('a size that is not 16:9 is refused', async () => {
  await expect(createStage({ widthPx: 1_280, heightPx: 800 })).rejects.toMatchObject({ code: 'STAGE_SIZE' });
});
