import puppeteer from 'puppeteer-core';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlUrl, scratchFolder, startFly, testHome } from '../fixture/fly-process.ts';
import { findChromium } from './find-chromium.ts';

const chromium = findChromium();
const title = `the page of a real run in Chromium${chromium === null ? ' (skipped: no chromium on this machine)' : ''}`;

describe.skipIf(chromium === null)(title, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: chromium!,
      headless: true,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });

  afterAll(() => browser.close());

  test('plays what is on air, shows the run, gives sugar, and its held stop button ends the run', async () => {
    const home = await testHome('live-page');
    const run = startFly(['live', '--local', '--port', '0', '--record', scratchFolder()], { FLY_HOME: home });
    try {
      const page = await browser.newPage();
      await page.setViewport({ width: 1440, height: 900 });
      await page.goto(await controlUrl(run));
      // Page code is text here: these tests are checked without a browser's types.
      await page.waitForFunction(
        "document.querySelector('video')?.currentTime > 1 && document.querySelector('video').videoWidth === 1280",
        { timeout: 60_000 },
      );
      await page.waitForFunction("document.body.innerText.includes('grown twin, not a measured wiring')");
      await page.waitForFunction("document.body.innerText.includes('recording')");
      await page.screenshot({ path: process.env.FLY_SCREENSHOT ?? '/dev/null', type: 'png' });

      const url = page.url();
      const sugar = await page.evaluate(async () => {
        const answer = await fetch('/sugar', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ by: 'tester', source: 'operator', durationMs: 100 }),
        });
        return answer.status;
      });
      expect([202, 429]).toContain(sugar); // a reward pulse that happens to run refuses it
      expect(url).toContain('127.0.0.1');

      const stop = await page.waitForSelector('#stop');
      const box = (await stop!.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      expect((await run.exit).code).toBe(0);
      expect(run.output()).toContain('ended (stopped by');
    } finally {
      run.child.kill('SIGKILL');
      await run.exit;
    }
  }, 120_000);
});
