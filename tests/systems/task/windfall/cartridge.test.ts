import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CARTRIDGE_DIGEST } from '../../../../systems/task/windfall/cartridge.ts';

const path = fileURLToPath(new URL('../../../../assets/games/windfall/windfall.gb', import.meta.url));

test('the task knows the committed cartridge by its digest', () => {
  expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(CARTRIDGE_DIGEST);
});
