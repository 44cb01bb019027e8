import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MatchProgress } from '../../engine/contract/task.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { AgentSnapshot, Snapshot } from '../../engine/replica/snapshot.ts';
import { createSilhouette } from '../../scenes/brain-map/silhouette.ts';
import type { StageGeometry } from '../../scenes/geometry.ts';
import { CANVAS_HEIGHT, CANVAS_WIDTH, INSET, box } from '../../scenes/layout.ts';
import type { Box } from '../../scenes/layout.ts';
import { MATCH_GAP, cardBoxes, flyBoxes, matchBox, smallCardBoxes } from '../../scenes/layouts/match-boxes.ts';
import { honestyCards } from '../../scenes/format/honesty.ts';
import { HONESTY_CARD_MS } from '../../scenes/panels/honesty.ts';
import { packed } from '../../scenes/raster/frame.ts';
import { createStage } from '../../scenes/stage.ts';
import type { Stage } from '../../scenes/stage.ts';
import { colour } from '../../scenes/theme.ts';
import { CHAT, fakeEvent, fakeSnapshot, gamePicture, openReplica } from './fixture.ts';
import {
  CONSOLE_PORT,
  MATCH_EVENTS,
  fakeMatch,
  feedMatch,
  matchAgents,
  matchDescriptor,
  matchSnapshot,
} from './match-fixture.ts';
import type { MatchChanges } from './match-fixture.ts';
import { contrast, downscale, overlap, pixel, wrongGamePixels } from './picture-checks.ts';

const FRAME_MS = 1_000 / 30;
/** Two brains of unequal size (show.md 164, 188). */
const BRAINS: readonly StageGeometry[] = [createSilhouette(30_000, 1), createSilhouette(21_001, 2)];
let stages: Readonly<Record<1080 | 720, Stage>>;

beforeAll(async () => {
  stages = {
    1080: await createStage({ widthPx: 1_920, heightPx: 1_080 }),
    720: await createStage({ widthPx: 1_280, heightPx: 720 }),
  };
  for (const stage of Object.values(stages)) BRAINS.forEach((brain, agent) => stage.setGeometry(agent, brain));
}, 60_000);

afterAll(() => {
  stages[1080].close();
  stages[720].close();
});

let revision = 10_000;

function open(changes: MatchChanges = {}): {
  replica: Replica;
  show: (snapshot?: Partial<Snapshot>, nowMs?: number, spikeSteps?: readonly number[]) => void;
} {
  revision++;
  const replica = openReplica(matchDescriptor({ ...changes, revision }));
  let sequence = 0;
  return {
    replica,
    show: (snapshot = {}, nowMs = 0, spikeSteps = []) => {
      sequence += 2;
      const events = sequence === 2 ? MATCH_EVENTS : [];
      feedMatch(replica, matchSnapshot(sequence, { revision, events, ...snapshot }), nowMs, BRAINS, spikeSteps);
    },
  };
}

/** Words of one fly's card, or of any panel. */
function wordsOf(stage: Stage, panel?: string): string[] {
  return stage
    .describe()
    .texts.filter((each) => panel === undefined || each.panel === panel)
    .map(({ words }) => words);
}

function cut(rgba: Uint8Array, at: Box): Uint32Array {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.byteLength / 4);
  const out = new Uint32Array(at.width * at.height);
  for (let row = 0; row < at.height; row++) {
    const from = (at.y + row) * 1_920 + at.x;
    out.set(pixels.subarray(from, from + at.width), row * at.width);
  }
  return out;
}

describe('geometry (show.md 168, 169)', () => {
  const at = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

  test('the boxes of the two-fly layout are the published ones', () => {
    expect(cardBoxes).toEqual([at(48, 88, 420, 720), at(1452, 88, 420, 720)]);
    expect(matchBox.view).toEqual(at(480, 88, 960, 720));
    expect(flyBoxes).toEqual([at(48, 812, 432, 220), at(1440, 812, 432, 220)]);
    expect(matchBox.events).toEqual(at(492, 812, 936, 100));
    expect(matchBox.chat).toEqual(at(492, 924, 936, 108));
  });

  test('the sums hold: 420 + 12 + 960 + 12 + 420 and 432 + 12 + 936 + 12 + 432 = 1824, 100 + 12 + 108 = 220', () => {
    const usable = CANVAS_WIDTH - 2 * INSET;
    expect(2 * cardBoxes[0]!.width + 2 * MATCH_GAP + matchBox.view.width).toBe(usable);
    expect(2 * flyBoxes[0]!.width + 2 * MATCH_GAP + matchBox.events.width).toBe(usable);
    expect(matchBox.events.height + MATCH_GAP + matchBox.chat.height).toBe(flyBoxes[0]!.height);
    for (const { x, y, width, height } of [...cardBoxes, ...flyBoxes, ...smallCardBoxes, ...Object.values(matchBox)]) {
      expect(x).toBeGreaterThanOrEqual(INSET);
      expect(y).toBeGreaterThanOrEqual(box.title.y + box.title.height);
      expect(x + width).toBeLessThanOrEqual(CANVAS_WIDTH - INSET);
      expect(y + height).toBeLessThanOrEqual(CANVAS_HEIGHT - INSET);
    }
  });

  test.each([
    { height: 1080 as const, width: 1_920, scale: 4, left: 640, top: 160 },
    { height: 720 as const, width: 1_280, scale: 3, left: 400, top: 83 },
  ])(
    'at $height the 160x144 view is $scale times its size, centred, bordered',
    ({ height, width, scale, left, top }) => {
      const { replica, show } = open();
      show();
      const rgba = stages[height].render(replica, 0);
      expect(wrongGamePixels(rgba, width, gamePicture(2), { left, top, scale })).toBe(0);
      expect(pixel(rgba, width, left - 1, top + 40)).toBe(packed(colour.bezel));
      expect(pixel(rgba, width, left + 160 * scale, top + 40)).toBe(packed(colour.bezel));
    },
  );

  test('a picture that leaves no line above it puts the score on the title strip (show.md 168)', () => {
    const { replica, show } = open({ view: { widthPx: 640, heightPx: 480 } });
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720], 'title-strip')).toContain('A 2 B 1 0:41');
    stages[1080].render(replica, 0);
    expect(wordsOf(stages[1080], 'title-strip')).not.toContain('A 2 B 1 0:41');
    expect(wordsOf(stages[1080], 'match-view')).toContain('0:41');
  });
});

describe('what a card says (show.md 152 to 154)', () => {
  test('who, port, side, which brain, how active, learning with its counters, pulse, chosen and applied', () => {
    const { replica, show } = open();
    show({ agents: matchAgents(2, 2, [{ decision: ['right', 'a'], appliedButtons: [false, true] }]) });
    stages[1080].render(replica, 0);
    expect(stages[1080].describe().layout).toBe('two-fly');
    expect(wordsOf(stages[1080], 'card-0')).toEqual(
      expect.arrayContaining([
        'A',
        'FLY A',
        'left, port 1',
        'grown twin, seed 1, not measured',
        'id 1f3a9c1d',
        '139,255 neurons',
        '5.1',
        'on, 90 updates',
        '3,127 of 16,384 moved',
        'none now',
        'right + a',
        'down',
      ]),
    );
    expect(wordsOf(stages[1080], 'card-1')).toEqual(
      expect.arrayContaining(['FLY B', 'right, port 2', '3.7', 'left + up']),
    );
  });

  test('an agent that presses nothing is neutral, and its sticks show a centred knob', () => {
    const { replica, show } = open({ port: CONSOLE_PORT });
    const rest = {
      decision: [],
      appliedButtons: CONSOLE_PORT.buttons.map(() => false),
      appliedAxes: [0, 0, 0, 0, 0, 0],
    };
    const pushed = { ...rest, appliedAxes: [1, 0, 0, 0, 0, 0.35] };
    show({ agents: matchAgents(2, 2, [rest, pushed]) });
    const rgba = stages[1080].render(replica, 0);
    expect(wordsOf(stages[1080], 'card-0')).toEqual(expect.arrayContaining(['nothing', 'neutral']));
    expect(wordsOf(stages[1080], 'pad-0')).toEqual(expect.arrayContaining(['L 0.00', 'R 0.00']));
    expect(wordsOf(stages[1080], 'card-1')).toContain('stick + R 0.35');
    expect(wordsOf(stages[1080], 'pad-1')).toContain('R 0.35');
    const knob = (card: Box, dx: number): number => pixel(rgba, 1_920, card.x + 18 + 47 + dx, card.y + 613 + 46);
    expect(knob(cardBoxes[0]!, 0)).toBe(packed(colour.ink));
    expect(knob(cardBoxes[1]!, 0)).not.toBe(packed(colour.ink));
    expect(knob(cardBoxes[1]!, 36)).toBe(packed(colour.motor));
  });

  test('what a port lacks is said, never drawn as a zero (show.md 163)', () => {
    const { replica, show } = open();
    show();
    stages[1080].render(replica, 0);
    expect(wordsOf(stages[1080], 'pad-0')).toEqual(expect.arrayContaining(['stick', 'no triggers']));
    expect(wordsOf(stages[1080], 'pad-0')).not.toContain('0.00');
  });

  test('unknown, zero and stale look different, and a stale value carries its age (show.md 163)', () => {
    const { replica, show } = open();
    const { ratesHz } = matchAgents(2)[0]!;
    show({ agents: matchAgents(2, 2, [{ ratesHz: ratesHz.map(() => 0) }]) });
    replica.snapshot = { ...replica.snapshot!, agents: replica.snapshot!.agents.slice(0, 1) }; // nothing of B is known
    stages[1080].render(replica, 0);
    expect(wordsOf(stages[1080], 'card-0')).toContain('0');
    expect(wordsOf(stages[1080], 'card-1')).toContain('--');
    expect(wordsOf(stages[1080], 'card-1')).not.toContain('0');
    stages[1080].render(replica, 3_500);
    expect(wordsOf(stages[1080], 'card-0')).toContain('3s old');
    expect(wordsOf(stages[1080], 'card-1')).not.toContain('3s old');
  });

  test('a control run is called one', () => {
    const { replica, show } = open({ each: [{ learning: 'frozen' }, { learning: 'shuffled' }] });
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720], 'card-0')).toContain('frozen, a control run');
    expect(wordsOf(stages[720], 'card-1')).toContain('shuffled, a control run');
  });

  test('choices that are frozen are said on the card of the fly whose they are', () => {
    const { replica, show } = open();
    show({ agents: matchAgents(2, 2, [{}, { choices: { entropyBits: 0, frozen: true } }]) });
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720], 'card-0')).toContain('1.62 bits');
    expect(wordsOf(stages[720], 'card-1')).toContain('frozen in one order');
  });

  test('a brain that is not measured says so however long its name is', () => {
    const { replica } = open();
    const { connectome } = replica.descriptor!.agents[0]!;
    const each = [{ connectome: { ...connectome, name: 'Grown twin, seed 4,294,967,295, of the larger kind' } }];
    const long = open({ each });
    long.show();
    stages[720].render(long.replica, 0);
    expect(wordsOf(stages[720], 'card-0')).toContain('grown twin, not measured');
    expect(wordsOf(stages[720], 'title-strip')).toContain('GROWN TWINS');
  });
});

describe('what both share (show.md 156)', () => {
  const say = (match: Partial<MatchProgress>): string[] => {
    const { replica, show } = open();
    show({ progress: fakeMatch(match) });
    stages[1080].render(replica, 0);
    return wordsOf(stages[1080], 'match-view');
  };

  test('points, clock, round, match id, seed, sides and the real-time factor stand around the view', () => {
    expect(say({})).toEqual(
      expect.arrayContaining([
        '2',
        '1',
        '0:41',
        'ROUND 4 OF 5',
        'FIRST TO 5 POINTS',
        'match 0192',
        'seed 1234',
        'A left, B right',
        'sides swap next',
        '1.00x real time',
      ]),
    );
  });

  test('a result is given to its winner, a draw to nobody', () => {
    expect(say({ phase: 'round-over', roundWinner: 1 })).toContain('ROUND TO B');
    expect(say({ phase: 'round-over', roundWinner: null })).toContain('ROUND DRAWN');
    expect(say({ phase: 'match-over', matchWinner: 0 })).toContain('MATCH TO A');
  });

  test('a task without a match gets no invented score (show.md 161, 162)', () => {
    const { replica, show } = open();
    show({ progress: { ...fakeSnapshot(1).progress, facts: [{ text: 'orchard 3', glyph: null }] } });
    stages[720].render(replica, 0);
    const words = wordsOf(stages[720], 'match-view');
    expect(words).toEqual(['orchard 3', '1.00x real time']);
  });

  test('the letter follows the port, as in the picture, whatever the order of the agents', () => {
    const { replica, show } = open({ each: [{ portId: 'player-2' }, { portId: 'player-1' }] });
    const match = fakeMatch();
    const [first, second] = match.players;
    const players = [
      { ...first!, portId: 'player-2', letter: 'B', side: 'right', score: 4 },
      { ...second!, portId: 'player-1', letter: 'A', side: 'left', score: 3 },
    ];
    show({ progress: fakeMatch({ players, phase: 'match-over', matchWinner: 0 }) });
    stages[720].render(replica, 0);
    const card = stages[720].describe().texts.filter(({ panel }) => panel === 'card-0');
    expect(card.map(({ words }) => words)).toEqual(expect.arrayContaining(['B', 'FLY A', 'right, port 2']));
    expect(card.every(({ x }) => x > cardBoxes[1]!.x)).toBe(true);
    expect(wordsOf(stages[720], 'match-view')).toEqual(expect.arrayContaining(['MATCH TO B', 'A left, B right']));
    expect(wordsOf(stages[720], 'events')).toContain('B +0.50');
    const score = (id: string): string | undefined =>
      stages[720].describe().texts.find((each) => each.panel === 'match-view' && each.id === id)?.words;
    expect([score('score-0'), score('score-1')]).toEqual(['3', '4']);
  });

  test('an event of one fly carries its letter', () => {
    const { replica, show } = open();
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720], 'events')).toEqual(expect.arrayContaining(['A +0.50', 'B +1.0']));
  });

  test('with chat off the honesty cards speak of every brain', () => {
    const { replica, show } = open({ chat: false });
    show();
    stages[720].render(replica, 0);
    expect(wordsOf(stages[720], 'honesty').join(' ')).toMatch(/^These brains are grown twins.*not measured wirings/);
  });

  test('no honesty sentence is cut in the low box, and brains of different kinds are told apart (show.md 114, 120)', () => {
    const { replica, show } = open({ chat: false });
    show();
    const measured = {
      ...replica.descriptor!.agents[0]!.connectome,
      name: 'FlyWire FAFB v783',
      origin: 'measured' as const,
    };
    const mixed = open({
      chat: false,
      each: [{ connectome: { ...measured, credit: 'FlyWire FAFB v783, CC BY-NC 4.0' } }],
    });
    mixed.show();
    for (const each of [replica, mixed.replica]) {
      const cards = honestyCards(each.descriptor!);
      const shown = cards.map((_, index) => {
        stages[720].render(each, index * HONESTY_CARD_MS);
        return wordsOf(stages[720], 'honesty').join(' ');
      });
      expect(shown).toEqual(cards.map(({ sentence }) => sentence));
    }
    const sentences = honestyCards(mixed.replica.descriptor!).map(({ sentence }) => sentence);
    expect(sentences[0]).toMatch(/^Fly A\. The wiring is a real measured brain/);
    expect(sentences[1]).toMatch(/^Fly B\. This brain is a grown twin/);
    expect(sentences.filter((sentence) => sentence.includes('CC BY-NC 4.0'))).toHaveLength(1);
  });
});

describe('state of each fly is its own (show.md 155, 188)', () => {
  const quiet = (sequence: number): AgentSnapshot => matchAgents(sequence)[1]!;

  /** 24 frames; `drive` is what happens to fly A alone. */
  function run(drive: boolean): Uint8Array {
    const { replica, show } = open();
    let rgba: Uint8Array = new Uint8Array();
    for (let frame = 0; frame < 24; frame++) {
      const sequence = frame * 2 + 2;
      const own = matchAgents(sequence)[0]!;
      const driven: Partial<AgentSnapshot> = {
        ratesHz: own.ratesHz.map((rate) => rate * 3 + frame),
        populationRateHz: 20 + frame,
        decision: ['down', 'b'],
        appliedButtons: [false, true, false, false, false, frame % 2 === 0, false, false],
        stimulusRemainingMs: 400,
        choices: { entropyBits: 0, frozen: true },
        learning: { ...own.learning, changed: 9_000 + frame, synapsesMoved: frame },
      };
      const agents = [drive ? { ...own, ...driven } : own, quiet(sequence)];
      const events = drive && frame === 10 ? [fakeEvent(50, { agentIndex: 0, value: 0.5 })] : [];
      const sugar = { active: drive, remainingMs: 0, cooldownMs: 0, windowMs: 60_000, lastBy: 'ana', todayCount: 0 };
      show({ agents, sugar, events }, frame * FRAME_MS, [drive ? sequence * 31 : sequence, sequence + 977]);
      rgba = stages[1080].render(replica, frame * FRAME_MS);
    }
    return rgba.slice();
  }

  test('driving fly A changes its card and its body and not one pixel of the other card and body', () => {
    const still = run(false);
    const driven = run(true);
    expect(cut(driven, cardBoxes[0]!)).not.toEqual(cut(still, cardBoxes[0]!));
    expect(cut(driven, flyBoxes[0]!)).not.toEqual(cut(still, flyBoxes[0]!));
    expect(cut(driven, cardBoxes[1]!)).toEqual(cut(still, cardBoxes[1]!));
    expect(cut(driven, flyBoxes[1]!)).toEqual(cut(still, flyBoxes[1]!));
  });

  test('without its optional attachments a match is drawn with words in their place', () => {
    const { replica } = open();
    const bare = matchSnapshot(2, { revision });
    replica.snapshot = bare;
    stages[720].render(replica, 0);
    expect(stages[720].describe().layout).toBe('two-fly');
    expect(wordsOf(stages[720])).toContain('no picture yet');
  });

  test('a brain without geometry is said to have none, and the other is drawn', async () => {
    const stage = await createStage({ widthPx: 1_280, heightPx: 720 });
    stage.setGeometry(0, BRAINS[0]!);
    const { replica, show } = open();
    show();
    stage.render(replica, 0);
    expect(wordsOf(stage, 'card-0')).not.toContain('brain geometry not loaded');
    expect(wordsOf(stage, 'card-1')).toContain('brain geometry not loaded');
    stage.close();
  });
});

describe('words on the layouts for several flies (show.md 126, 133, 167)', () => {
  const cases = [2, 3, 4].flatMap((agents) => [true, false].map((chat) => ({ agents, chat })));
  test.each(cases)(
    '$agents flies, chat $chat: inside the inset, out of the no-content zone, off each other, 24 px or more',
    ({ agents, chat }) => {
      for (const port of [CONSOLE_PORT, undefined]) {
        const { replica, show } = open({ agents, chat, ...(port === undefined ? {} : { port }) });
        const faults = new Set<string>();
        for (const height of [1080, 720] as const) {
          for (let second = 0; second < (chat ? 30 : 150); second += 15) {
            show({ chat: CHAT, agents: matchAgents(2, agents), progress: fakeMatch({}, agents) }, second * 1_000);
            stages[height].render(replica, second * 1_000);
            const { texts } = stages[height].describe();
            for (const each of texts) {
              if (each.style.sizePx < 24) faults.add(`too small: ${each.words}`);
              if (each.style.face === 'label' && each.words.length > 24) faults.add(`too long: ${each.words}`);
              if (each.x < INSET || each.x + each.width > CANVAS_WIDTH - INSET + 1)
                faults.add(`outside: ${each.words}`);
              if (each.y + each.height > CANVAS_HEIGHT - INSET) faults.add(`below the inset: ${each.words}`);
              if (overlap(each, box.noContent)) faults.add(`in the no-content zone: ${each.words}`);
              if (flyBoxes.some((fly) => agents === 2 && overlap(each, fly))) faults.add(`on a fly: ${each.words}`);
              for (const other of texts) {
                if (other !== each && overlap(each, other)) faults.add(`${each.words} over ${other.words}`);
              }
            }
          }
        }
        expect([...faults]).toEqual([]);
        expect(stages[720].describe().layout).toBe(agents === 2 ? 'two-fly' : 'four-fly');
      }
    },
  );

  test.each([1080, 720] as const)(
    'from %s at 397 px wide every region keeps contrast above 0.035 (show.md 131)',
    (height) => {
      const { replica, show } = open();
      for (let frame = 0; frame < 12; frame++) {
        show({ chat: CHAT }, frame * FRAME_MS);
        stages[height].render(replica, frame * FRAME_MS);
      }
      const width = (height * 16) / 9;
      const small = downscale(stages[height].render(replica, 400), width, height, 397);
      const regions = { ...matchBox, cardA: cardBoxes[0]!, cardB: cardBoxes[1]! };
      for (const [name, region] of Object.entries(regions))
        expect(contrast(small, region), name).toBeGreaterThan(0.035);
      for (const region of flyBoxes) expect(contrast(small, region)).toBeGreaterThan(0.02); // show.md 112
    },
  );

  test('of four small cards each keeps it too', () => {
    const { replica, show } = open({ agents: 4 });
    show({ chat: CHAT, agents: matchAgents(2, 4), progress: fakeMatch({}, 4) });
    const small = downscale(stages[1080].render(replica, 0), 1_920, 1_080, 397);
    for (const region of smallCardBoxes) expect(contrast(small, region)).toBeGreaterThan(0.035);
  });
});
