import puppeteer from 'puppeteer-core';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openControlServer } from '../../broadcast/control/control-server.ts';
import type { ControlServer } from '../../broadcast/control/control-server.ts';
import type { StatusReport } from '../../broadcast/control/controlled-session.ts';
import { createFakeClock, systemClock } from '../../engine/clock.ts';
import {
  createFakeSession,
  sampleEvent,
  sampleReport,
  sampleShows,
  standing,
} from '../broadcast/control/fake-session.ts';
import type { FakeSession } from '../broadcast/control/fake-session.ts';
import { findChromium } from './find-chromium.ts';
import { createPreviewFixture } from './preview-fixture.ts';
import type { PreviewFixture } from './preview-fixture.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const TAKE = '[data-show=orchard-two-flies] .take';

/** Texts of a health row that touch each other, leave their row or are cut off, in words. Runs in the page. */
const LIST_COLLISIONS = `[...document.querySelectorAll('#health-rows li')].flatMap((row) => {
  const outer = row.getBoundingClientRect();
  const boxes = [...row.querySelectorAll('b, .word, .value, .detail')].flatMap((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return [...range.getClientRects()].map((box) => ({ text: cell.textContent, cell, box }));
  });
  const svg = row.querySelector('svg');
  boxes.push({ text: 'the line', cell: svg, box: svg.getBoundingClientRect() });
  const isOver = (one, two) => one.left < two.right - 0.5 && two.left < one.right - 0.5 &&
    one.top < two.bottom - 4 && two.top < one.bottom - 4; // boxes of lines below each other share their leading
  const pairs = boxes.flatMap((one, i) => boxes.slice(i + 1)
    .filter((two) => two.cell !== one.cell && isOver(one.box, two.box))
    .map((two) => one.text + ' over ' + two.text));
  const outside = boxes.filter(({ box }) => box.right > outer.right + 0.5 || box.bottom > outer.bottom + 2)
    .map(({ text }) => text + ' leaves its row');
  const cut = [...row.querySelectorAll('b, .word, .value, .detail')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent + ' is cut off');
  return [...pairs, ...outside, ...cut];
})`;

const chromium = findChromium();
const title =
  chromium === null ? 'the console in Chromium (skipped: no chromium on this machine)' : 'the console in Chromium';

describe.skipIf(chromium === null)(title, { timeout: 30_000 }, () => {
  let browser: Browser;
  let fixture: PreviewFixture;
  let session: FakeSession;
  let server: ControlServer;
  let page: Page;
  let pageErrors: string[];

  beforeAll(async () => {
    fixture = await createPreviewFixture({ widthPx: 320, heightPx: 180, seconds: 12 });
    browser = await puppeteer.launch({
      executablePath: chromium!,
      headless: true,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  }, 60_000);

  afterAll(() => browser.close());

  beforeEach(async () => {
    session = createFakeSession();
    const firstStep = Number(session.report.step);
    let looks = 0;
    session.status = () => ({ ...session.report, step: String(firstStep + 15 * looks++) });
    server = await openControlServer({ port: 0, session, clock: systemClock });
    page = await browser.newPage();
    pageErrors = [];
    page.on('pageerror', (error) => pageErrors.push(String(error)));
    await page.setViewport(DESKTOP);
  });

  afterEach(async () => {
    await page.close();
    await server.close();
    expect(pageErrors).toEqual([]);
  });

  test('shows what the session reports, and follows it', async () => {
    session.shownEvents.push(sampleEvent(1, { kind: 'milestone', label: '6/18 fig row', value: null }));
    await open();
    await waitForText('#facts', 'real time1.00xlag12 ms');
    expect(await text('#show-name')).toBe('orchard-one-fly');
    expect(await text('#chip-live')).toBe('LIVE 02:09:06');
    expect(await text('#chip-rec')).toBe('REC 02:27:10');
    expect(await text('#rung-line')).toBe('6/18Fig rownext Fig ripe');
    expect(await text('[data-row="fly"]')).toContain('running1.00x real time4.8 Hz');
    expect(await text('#outputs-rows tr:nth-child(2)')).toContain('congested');
    expect(await text('#events-rows li')).toContain('rung6/18 fig row');
    expect(await text('#flies-rows')).toContain('grown twin, not a measured wiring');

    session.report = sampleReport({
      realTimeFactor: 0.71,
      ...standing('slow', 'Runs at 0.71x real time, 2.3 s lost.'),
    });
    session.shownEvents.push(sampleEvent(2));
    await waitForText('[data-row="fly"]', 'slow');
    await waitForText('#alarms', 'Runs at 0.71x real time, 2.3 s lost.');
    await waitForText('#events-rows li:first-child', 'new ground, column 2');
  });

  test('alarms stand on top, in words, and leave when they are over', async () => {
    await open();
    session.report = sampleReport({ alarms: [{ code: 'PICTURE_FROZEN', text: 'The picture stands still.' }] });
    await waitForText('[role=alert]', 'The picture stands still.PICTURE_FROZEN');
    session.report = sampleReport();
    await waitFor(`document.querySelector('[role=alert]').childElementCount === 0`);
  });

  test('plays a real H.264 and AAC preview, muted, near the live edge', async () => {
    streamPreview();
    await open();
    await waitFor(`document.querySelector('video').currentTime > 1`);
    const first = Number(await evaluate(`document.querySelector('video').currentTime`));
    await waitFor(`document.querySelector('video').currentTime > ${first + 0.5}`);
    expect(await evaluate(`document.querySelector('video').videoWidth`)).toBe(320);
    expect(await evaluate(`document.querySelector('video').muted`)).toBe(true);
    expect(await evaluate(`document.querySelector('#picture-cover').hidden`)).toBe(true);
    expect(await text('#picture-delay')).toMatch(/^[0-2]\.\d s behind$/);
    await page.click('#sound-toggle');
    await waitForText('#sound-toggle', 'Mute');
    expect(await evaluate(`document.querySelector('video').muted`)).toBe(false);
  });

  test('a picture that stops is covered by the reason, not left standing', async () => {
    const preview = streamPreview();
    await open();
    await waitFor(`document.querySelector('video').currentTime > 0.5`);
    preview.pause();
    await waitForText('#picture-cover', 'No picture: nothing new for');
    preview.resume();
    await waitFor(`document.querySelector('#picture-cover').hidden`);
  });

  test('without a stream, or with one the browser cannot play, it says so', async () => {
    await open();
    await waitForText('#picture-cover', 'No picture: the stage is drawing, no stream yet');
    await waitFor(`document.body.dataset.link === 'live'`);
    for (const listener of session.previewListeners) listener.init(fixture.init, 'video/mp4; codecs="none.1"');
    await waitForText('#picture-cover', 'No picture: this browser does not play video/mp4; codecs="none.1"');
  });

  test('Stop needs a second of holding; letting go early changes nothing', async () => {
    await open();
    await hover('#stop');
    await page.mouse.down();
    await waitForText('#stop-hint', 'release to keep going');
    await page.mouse.up();
    await waitForText('#stop-hint', 'hold 1 s');
    expect(session.stops).toEqual([]);
    const pressedAtMs = performance.now();
    await page.mouse.down();
    await waitForText('#stop-label', 'Stopping');
    expect(performance.now() - pressedAtMs).toBeGreaterThanOrEqual(1_000); // never sooner, however slow the machine
    await page.mouse.up();
    await waitForText('#stop-hint', 'saving the session, closing the outputs');
    expect(session.stops).toEqual(['console']);
    await server.close();
    await waitForText('#alarms', 'The show was stopped from here.');
  });

  test('dragging away lets go of Stop; an alarm that moves the page meanwhile does not', async () => {
    await open();
    await waitFor(`document.body.dataset.link === 'live'`);
    await hover('#stop');
    await page.mouse.down();
    await waitForText('#stop-hint', 'release to keep going');
    await page.mouse.move(40, 40);
    await waitForText('#stop-hint', 'hold 1 s');
    await page.mouse.up();
    await hover('#stop');
    await page.mouse.down();
    session.report = sampleReport({
      alarms: [1, 2, 3].map((n) => ({ code: `ALARM_${n}`, text: 'Something needs a look.' })),
    });
    await waitForText('#stop-hint', 'saving the session');
    await page.mouse.up();
    expect(session.stops).toEqual(['console']);
  });

  test('Stop is held by keyboard too, and Escape lets go', async () => {
    await open();
    await page.focus('#stop');
    await page.keyboard.down('Space');
    await waitForText('#stop-hint', 'release to keep going');
    await page.keyboard.down('Escape');
    await waitForText('#stop-hint', 'hold 1 s');
    await page.keyboard.up('Space');
    expect(session.stops).toEqual([]);
    await page.keyboard.down('Enter');
    await waitForText('#stop-label', 'Stopping');
    await page.keyboard.up('Enter');
    await waitFor(`document.querySelector('#stop-answer').textContent === 'The show is stopping.'`);
    expect(session.stops).toEqual(['console']);
  });

  test('assistive technology that only clicks is asked in words', async () => {
    await open();
    await evaluate(`document.querySelector('#stop').click()`);
    await page.waitForSelector('dialog[open]');
    await page.click('#stop-dialog button[value=keep]');
    await waitFor(`document.querySelector('dialog[open]') === null`);
    expect(session.stops).toEqual([]);
    await evaluate(`document.querySelector('#stop').click()`);
    await page.click('#stop-dialog button[value=stop]');
    await waitForText('#stop-label', 'Stopping');
    await waitForText('#stop-hint', 'saving the session');
    expect(session.stops).toEqual(['console']);
  });

  test('the show on air is marked; Take of another one needs a second of holding', async () => {
    await open();
    await waitForText('[data-show=orchard-one-fly]', 'program');
    expect(await evaluate(`document.querySelector('[data-show=orchard-one-fly]').ariaCurrent`)).toBe('true');
    expect(await evaluate(`document.querySelector('[data-show=orchard-one-fly] .take').hidden`)).toBe(true);
    expect(await text('[data-show=orchard-two-flies]')).toContain('2 flies, orchard-match');
    expect(await text('#shows-note')).toBe('Take seals run, shows intermission');
    await hover(TAKE);
    await page.mouse.down();
    await waitForText(TAKE, 'release to keep going');
    await page.mouse.up();
    await waitForText(TAKE, 'hold 1 s');
    expect(session.showRequests).toEqual([]);
    const pressedAtMs = performance.now();
    await page.mouse.down();
    await waitForText('#shows-answer', 'accepted: orchard-two-flies comes next');
    expect(performance.now() - pressedAtMs).toBeGreaterThanOrEqual(1_000); // never sooner, however slow the machine
    await page.mouse.up();
    expect(session.showRequests).toEqual([{ id: 'orchard-two-flies', by: 'console' }]);
    await waitForText(TAKE, 'hold 1 s'); // no swap followed: two seconds later it can be taken again
  });

  test('a swap is shown phase by phase, nothing else can be taken meanwhile, and the picture plays on', async () => {
    streamPreview();
    await open();
    await waitFor(`document.querySelector('video').currentTime > 0.5`);
    await evaluate(`window.breaks = 0, new MutationObserver(() => document.querySelector('#picture-cover').hidden || breaks++)
      .observe(document.querySelector('#picture-cover'), { attributes: true, attributeFilter: ['hidden'] })`);
    const swap = { from: 'orchard-one-fly', to: 'orchard-two-flies' } as const;
    session.report = sampleReport({ swap: { ...swap, phase: 'sealing' } });
    await waitForText('#shows-note', 'step 1 of 3: sealing the run');
    expect(await text('[data-show=orchard-one-fly] .state')).toBe('sealing');
    expect(await text('[data-show=orchard-two-flies] .state')).toBe('next');
    expect(await text('[data-show=mario-one-fly] .hint')).toBe('swap under way');
    expect(await evaluate(`document.querySelector('[data-show=mario-one-fly] .take').disabled`)).toBe(true);
    await waitForText('#alarms', 'Swapping from orchard-one-fly to orchard-two-flies: the run is being saved.');
    session.report = sampleReport({ swap: { ...swap, phase: 'intermission' }, status: 'booting', agents: [] });
    await waitForText('#shows-note', 'step 2 of 3: intermission on air');
    expect(await text('[data-show=orchard-one-fly] .state')).toBe('sealed');
    await waitForText('[data-row="fly"]', 'swapping');
    session.report = sampleReport({ swap: { ...swap, phase: 'starting' }, status: 'booting', agents: [] });
    await waitForText('#shows-note', 'step 3 of 3: starting the next session');
    expect(await text('[data-show=orchard-two-flies] .state')).toBe('starting');
    const before = Number(await evaluate(`document.querySelector('video').currentTime`));
    const [a] = sampleReport().agents;
    session.choices = sampleShows('orchard-two-flies');
    session.report = sampleReport({
      showId: 'orchard-two-flies',
      sessionId: 'session-8',
      agents: [
        { ...a!, agentId: 'left' },
        { ...a!, agentId: 'right' },
      ],
    });
    await waitForText('#shows-answer', 'orchard-two-flies is on');
    await waitForText('[data-show=orchard-two-flies]', 'program');
    expect(await text('[data-show=orchard-one-fly] .hint')).toBe('hold 1 s');
    expect(await text('#flies-rows')).not.toContain('fly-a');
    expect(await text('#flies-rows')).toContain('right');
    await waitFor(`document.querySelector('video').currentTime > ${before + 0.5}`);
    expect(await evaluate('breaks')).toBe(0);
    await waitFor(`document.querySelector('[role=alert]').childElementCount === 0`);
  });

  test('a refused show says why and can be asked for again', async () => {
    session.showAnswer = { kind: 'busy', detail: 'a stop is under way' };
    await open();
    await page.waitForSelector(TAKE);
    await page.focus(TAKE);
    await page.keyboard.down('Enter');
    await waitForText('#shows-answer', 'refused: a stop is under way');
    await page.keyboard.up('Enter');
    expect(await evaluate(`document.querySelector('#shows-answer').dataset.tone`)).toBe('warn');
    expect(await evaluate(`document.querySelector(${JSON.stringify(TAKE)}).disabled`)).toBe(false);
  });

  test('a swap that comes to nothing is told as that', async () => {
    session.report = sampleReport({ swap: { from: 'orchard-one-fly', to: 'mario-one-fly', phase: 'starting' } });
    await open();
    await waitForText('[data-show=mario-one-fly]', 'starting');
    session.report = sampleReport();
    await waitForText('#shows-answer', 'mario-one-fly was not taken; orchard-one-fly goes on');
    await waitForText('[data-show=orchard-one-fly]', 'program');
  });

  test('Take is held by keyboard too; Escape, or a swap begun elsewhere, lets go', async () => {
    await open();
    await page.waitForSelector(TAKE);
    await page.focus(TAKE);
    await page.keyboard.down('Space');
    await waitForText(TAKE, 'release to keep going');
    await page.keyboard.down('Escape');
    await waitForText(TAKE, 'hold 1 s');
    await page.keyboard.up('Space');
    // time stands still a tenth of a second into the hold, so that only the swap can end it
    await evaluate(`{
      const nextFrame = requestAnimationFrame.bind(window);
      const nowMs = performance.now();
      performance.now = () => nowMs;
      window.requestAnimationFrame = (draw) => nextFrame(() => draw(nowMs + 100));
    }`);
    // not focused, as a button pressed in Safari: no blur comes to the rescue
    await evaluate(`document.activeElement.blur()`);
    await evaluate(
      `document.querySelector(${JSON.stringify(TAKE)}).dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }))`,
    );
    await waitForText(TAKE, 'release to keep going');
    session.report = sampleReport({ swap: { from: 'orchard-one-fly', to: 'mario-one-fly', phase: 'sealing' } });
    await waitForText(TAKE, 'swap under way');
    await waitFor(`document.querySelector(${JSON.stringify(TAKE)}).dataset.holding === 'false'`);
    expect(session.showRequests).toEqual([]);
  });

  test('a finger takes a show too', async () => {
    await page.setViewport(PHONE);
    await open();
    const handle = await page.waitForSelector(TAKE);
    const { x, y } = await handle!.clickablePoint();
    const finger = await page.touchscreen.touchStart(x, y);
    await waitForText('#shows-answer', 'accepted');
    await finger.end();
    expect(session.showRequests).toEqual([{ id: 'orchard-two-flies', by: 'console' }]);
  });

  test('assistive technology that only clicks Take is asked in words, which show', async () => {
    await open();
    await page.waitForSelector(TAKE);
    await evaluate(`document.querySelector(${JSON.stringify(TAKE)}).click()`);
    await page.waitForSelector('#show-dialog[open]');
    expect(await text('#show-question')).toBe('Take orchard-two-flies?');
    await page.click('#show-dialog button[value=keep]');
    await waitFor(`document.querySelector('dialog[open]') === null`);
    expect(session.showRequests).toEqual([]);
    await evaluate(`document.querySelector(${JSON.stringify(TAKE)}).click()`);
    await page.click('#show-dialog button[value=take]');
    await waitForText('#shows-answer', 'accepted');
    expect(session.showRequests).toEqual([{ id: 'orchard-two-flies', by: 'console' }]);
  });

  test('while the show is stopped or the connection lost nothing can be taken', async () => {
    await open();
    await waitForText(TAKE, 'hold 1 s');
    await page.focus('#stop');
    await page.keyboard.down('Enter');
    await waitForText(TAKE, 'the show is stopping');
    await page.keyboard.up('Enter');
    await server.close();
    await waitForText(TAKE, 'not connected');
    expect(await evaluate(`document.querySelector(${JSON.stringify(TAKE)}).disabled`)).toBe(true);
  });

  test('a list of shows that cannot be had is said, not shown as empty', async () => {
    session.shows = () => Promise.reject(new Error('the folder of shows is gone'));
    await open();
    await waitForText('#shows-empty', 'The shows cannot be listed: the folder of shows is gone');
  });

  test('a control run says so in the header for as long as it lasts', async () => {
    session.report = sampleReport({ learningMode: 'shuffled' });
    await open();
    await waitForText('#chip-control', 'CONTROL RUN, rewards shuffled');
    session.report = sampleReport({ learningMode: 'frozen' });
    await waitForText('#chip-control', 'CONTROL RUN, learning frozen');
    session.report = sampleReport();
    await waitFor(`document.querySelector('#chip-control').hidden`);
  });

  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('on a %s the longest values of the health rows neither overlap nor leave their place', async (_name, viewport) => {
    session.report = longestReport();
    await page.setViewport(viewport);
    await open();
    await waitForText('[data-row="stage"]', '999.9 ms a frame');
    await waitForText('[data-row="fly"]', '123.4 Hz, 123.4 Hz');
    await evaluate('document.fonts.ready.then(() => true)');
    expect(await evaluate(LIST_COLLISIONS)).toEqual([]);
    expect(await evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)).toBe(0);
  });

  test('sugar shows the answer, and waits when it must', async () => {
    await open();
    await page.click('#sugar-give');
    await waitForText('#sugar-answer', 'accepted, event 41');
    expect(session.sugars).toEqual([{ by: 'console', source: 'operator', durationMs: 400, agentId: null }]);
    session.sugarAnswer = { kind: 'cooling-down', retryAfterMs: 3_900 };
    await page.click('#sugar-give');
    await waitForText('#sugar-give', 'Give sugar in ');
    expect(await evaluate(`document.querySelector('#sugar-give').disabled`)).toBe(true);
    await waitForText('#sugar-give', 'Give sugar, 400 ms');
  });

  test('with two flies sugar names one', async () => {
    const [a] = sampleReport().agents;
    session.report = sampleReport({ agents: [a!, { ...a!, agentId: 'fly-b' }] });
    await open();
    await waitForText('#flies-rows', 'fly-b');
    await page.select('#sugar-agent', 'fly-b');
    await page.click('#sugar-give');
    await waitForText('#sugar-answer', 'accepted');
    expect(session.sugars[0]?.agentId).toBe('fly-b');
  });

  test('a lost server is said at once, and its return too', async () => {
    await open();
    await waitForText('#chip-live', 'LIVE');
    const { port } = server;
    await server.close();
    await waitForText('#alarms', 'Connection lost, retrying. Nothing shown here is current.');
    expect(await evaluate(`document.body.dataset.link`)).toBe('lost');
    server = await openControlServer({ port, session, clock: systemClock });
    await waitFor(`document.body.dataset.link === 'live'`);
    await waitFor(`document.querySelector('[role=alert]').childElementCount === 0`);
  });

  test('a server that is there but says nothing counts as lost', async () => {
    await server.close();
    const clock = createFakeClock();
    server = await openControlServer({ port: 0, session, clock });
    const heart = setInterval(() => clock.advanceMs(250), 250);
    await open();
    await waitFor(`document.body.dataset.link === 'live'`);
    clearInterval(heart); // the server's loop sleeps for ever; its sockets stay open
    await waitForText('#alarms', 'Connection lost, retrying.');
  });

  test.each([
    ['desktop', DESKTOP, 24],
    ['phone', PHONE, 44],
  ])('on a %s nothing scrolls sideways and every target can be hit', async (_name, viewport, smallestPx) => {
    await page.setViewport(viewport);
    await open();
    await waitForText('#outputs-rows', 'Backup relay');
    await page.waitForSelector(TAKE);
    expect(await evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)).toBe(0);
    const small = await evaluate(
      `[...document.querySelectorAll('main button, main select')].filter((target) => target.offsetParent !== null)
        .filter((target) => target.getBoundingClientRect().height < ${smallestPx}).map((target) => target.id)`,
    );
    expect(small).toEqual([]);
    const cut = await evaluate(
      `[...document.querySelectorAll('h2, th, .word, .value, #stop-hint, .hint')].filter((one) => one.offsetParent !== null)
        .filter((one) => getComputedStyle(one.closest('thead') ?? one).position !== 'absolute')
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
        .map((one) => one.textContent)`,
    );
    expect(cut).toEqual([]);
  });

  test('everything that acts has a name and a visible focus, and no colour stands alone', async () => {
    await open();
    await waitForText('#health-rows', 'Machine');
    await page.waitForSelector(TAKE);
    const snapshot = await page.accessibility.snapshot();
    const names = flatten(snapshot).filter(({ role }) => role === 'button' || role === 'combobox');
    expect(names.map(({ name }) => name)).toEqual([
      'Unmute',
      'Take orchard-two-flies hold 1 s',
      'Take mario-one-fly hold 1 s',
      'Stop the show hold 1 s',
      'Give sugar, 400 ms',
    ]);
    await page.keyboard.press('Tab');
    expect(await evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid');
    const wordless = await evaluate(
      `[...document.querySelectorAll('.state, #health-rows li')].filter((row) => row.offsetParent !== null)
        .filter((row) => row.textContent.trim() === '').length`,
    );
    expect(wordless).toBe(0);
  });

  async function open(): Promise<void> {
    await page.goto(server.url, { waitUntil: 'domcontentloaded' });
  }

  function evaluate(script: string): Promise<unknown> {
    return page.evaluate(script);
  }

  async function text(selector: string): Promise<string> {
    return String(await evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`));
  }

  async function waitFor(condition: string): Promise<void> {
    await page.waitForFunction(condition, { polling: 50, timeout: 12_000 });
  }

  async function waitForText(selector: string, part: string): Promise<void> {
    const found = `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(part)})`;
    await waitFor(found).catch(async (cause: unknown) => {
      throw new Error(`${selector} says ${JSON.stringify(await text(selector))}, not ${part}`, { cause });
    });
  }

  async function hover(selector: string): Promise<void> {
    const handle = await page.waitForSelector(selector);
    await handle!.hover();
  }

  /** Feeds every subscriber in real time, half a second a piece. */
  function streamPreview(): { pause(): void; resume(): void } {
    let paused = false;
    session.subscribePreview = (listener) => {
      let next = 0;
      listener.init(fixture.init, fixture.mimeType);
      const timer = setInterval(() => {
        const fragment = fixture.fragments[next];
        if (paused || fragment === undefined) return;
        next++;
        listener.fragment(fragment);
      }, 500);
      return () => clearInterval(timer);
    };
    return { pause: () => (paused = true), resume: () => (paused = false) };
  }
});

/** Every health row at its longest: four flies, a large machine, weeks on air, a machine that hardly keeps up. */
function longestReport(): StatusReport {
  const [a] = sampleReport().agents;
  return sampleReport({
    realTimeFactor: 0.07,
    ...standing('backend-disconnected', 'The world gameboy is gone.'),
    agents: ['fly-a', 'fly-b', 'fly-c', 'fly-d'].map((agentId) => ({ ...a!, agentId, populationRateHz: 123.4 })),
    environment: { state: 'restarting', stepMs: 999.99 },
    stage: {
      state: 'restarting',
      encoder: 'h264_nvenc',
      framesDrawn: 123_456_789,
      framesDropped: 12_345_678,
      framesLost: 0,
      drawMs: 999.94,
    },
    sound: { rmsDb: -100.4, fillMs: 12_345, underruns: 123_456 },
    memoryMb: 131_072,
    cores: { busy: 123.4, available: 128 },
    checkpoint: { boundary: '1234567890', ageSeconds: 999 * 3_600, kind: 'milestone' },
  });
}

type AccessibleNode = { role: string; name?: string; children?: AccessibleNode[] };

function flatten(node: unknown): AccessibleNode[] {
  const { children = [], ...own } = node as AccessibleNode;
  return [own, ...children.flatMap(flatten)];
}

/** The Chromium to test with, or null; `CHROMIUM` names another one. */
