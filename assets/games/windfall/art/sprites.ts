import type { Canvas } from './canvas.ts';
import { CLEAR, blit, createCanvas, drawLine, fillEllipse, fillRect, fromText, outline, setShade } from './canvas.ts';
import type { FruitKind } from './scenery.ts';

/**
 * Pictures of everything that moves. Shades in a sprite name its three palette entries: 0 light, 1 or 2 middle,
 * 3 dark; `CLEAR` is transparent. Sizes are multiples of 8x16 pixels, the hardware's tall sprite.
 */
export type Sprite = { readonly name: string; readonly picture: Canvas };

export function drawSprites(): readonly Sprite[] {
  return [
    ...[0, 1, 2].map((pose) => ({ name: `FLY_UPPER_${pose}`, picture: crop(drawFly(pose, 0), 0, 16) })),
    ...[0, 1].map((legs) => ({ name: `FLY_LOWER_${legs}`, picture: crop(drawFly(0, legs), 16, 16) })),
    { name: 'SPIDER_0', picture: drawSpider(0) },
    { name: 'SPIDER_1', picture: drawSpider(1) },
    { name: 'THREAD', picture: drawThread() },
    { name: 'BIRD_0', picture: BIRD_UP },
    { name: 'BIRD_1', picture: BIRD_DOWN },
    { name: 'WASP_0', picture: drawWasp(0) },
    { name: 'WASP_1', picture: drawWasp(1) },
    { name: 'FROG_0', picture: FROG },
    { name: 'BAT_0', picture: BAT_UP },
    { name: 'BAT_1', picture: BAT_DOWN },
    { name: 'FALLER', picture: FALLER },
    { name: 'FLAG_0', picture: drawFlag(false) },
    { name: 'FLAG_1', picture: drawFlag(true) },
    { name: 'HEART', picture: HEART },
    { name: 'SPARKLE', picture: SPARKLE },
    { name: 'LEAF', picture: LEAF },
    { name: 'RAIN', picture: RAIN },
    { name: 'SNOW', picture: SNOW },
  ];
}

/** 32x32, facing right. Pose: 0 wings up, 1 wings level, 2 wings down; `legs` 1 trails them. */
export function drawFly(pose: number, legs: number): Canvas {
  const fly = createCanvas(32, 32);
  const body = createCanvas(32, 32);
  // abdomen: striped, pointed to the left
  fillEllipse(body, 8.5, 18, 7.5, 4.6, (x, y) => (y < 15 ? 0 : x % 4 < 2 ? 3 : 2));
  setShade(body, 0, 19, 3);
  // thorax with a lit back
  fillEllipse(body, 17, 16, 5.2, 5.2, (x, y) => (x + y < 31 ? 0 : 2));
  fillEllipse(body, 17.5, 17, 4, 3.6, 2);
  drawLine(body, 15, 13, 18, 12, 0);
  // head and the big eye
  fillEllipse(body, 24.5, 16, 4.5, 4.8, 2);
  fillEllipse(body, 25.5, 15, 3.6, 3.9, 0);
  outline(body, 3);
  blit(fly, body, 0, 0);
  for (const [x, y] of [
    [24, 14],
    [26, 13],
    [25, 16],
    [27, 15],
  ])
    setShade(fly, x!, y!, 2);
  setShade(fly, 27, 17, 3);
  // mouth and feelers
  drawLine(fly, 27, 20, 28, 23, 3);
  drawLine(fly, 28, 20, 28, 22, 3);
  drawLine(fly, 27, 10, 30, 6, 3);
  drawLine(fly, 28, 11, 31, 9, 3);
  drawLegs(fly, legs);
  drawWing(fly, pose);
  return fly;
}

function drawLegs(fly: Canvas, legs: number): void {
  const sweep = legs === 0 ? 0 : -2;
  for (const [x, foot] of [
    [13, 10],
    [17, 16],
    [21, 22],
  ]) {
    drawLine(fly, x!, 21, x! + (foot! > x! ? 1 : -1), 24, 3);
    drawLine(fly, x! + (foot! > x! ? 1 : -1), 24, foot! + sweep, 28, 3);
    setShade(fly, foot! + sweep + 1, 28, 3);
  }
}

function drawWing(fly: Canvas, pose: number): void {
  const wing = createCanvas(32, 32);
  const veins: [number, number, number, number][] = [];
  if (pose === 0) {
    fillEllipse(wing, 9, 6, 6, 5, 0);
    fillEllipse(wing, 13.5, 9.5, 4, 3.5, 0);
    fillEllipse(wing, 17.5, 6, 2.6, 5.6, 0);
    veins.push([6, 4, 14, 10], [9, 2, 15, 10], [18, 2, 17, 10]);
  } else if (pose === 1) {
    fillEllipse(wing, 7.5, 9.5, 7, 3.4, 0);
    fillEllipse(wing, 13.5, 11, 3.5, 2.4, 0);
    veins.push([2, 9, 14, 11], [5, 11, 13, 12]);
  } else {
    fillEllipse(wing, 8, 15.4, 6.6, 4.2, 0);
    fillEllipse(wing, 14, 13, 3, 2.4, 0);
    veins.push([3, 16, 14, 13], [7, 18, 14, 14]);
  }
  outline(wing, 3);
  for (const [x0, y0, x1, y1] of veins) drawLine(wing, x0, y0, x1, y1, 2);
  blit(fly, wing, 0, 0);
}

function crop(canvas: Canvas, top: number, height: number): Canvas {
  const out = createCanvas(canvas.widthPx, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < canvas.widthPx; x++) {
      out.shades[y * canvas.widthPx + x] = canvas.shades[(y + top) * canvas.widthPx + x]!;
    }
  }
  return out;
}

function drawSpider(step: number): Canvas {
  const spider = createCanvas(16, 16);
  const body = createCanvas(16, 16);
  fillEllipse(body, 7.5, 7, 4, 3.6, 2);
  fillEllipse(body, 7.5, 11, 2.6, 2.2, 2);
  setShade(body, 6, 5, 0);
  setShade(body, 7, 5, 0);
  outline(body, 3);
  for (const side of [-1, 1]) {
    for (let leg = 0; leg < 4; leg++) {
      const y = 5 + leg * 2;
      const knee = y - 3 + ((leg + step) & 1) * 2;
      const x = side < 0 ? 4 : 11;
      drawLine(spider, x, y, x + side * 3, knee, 3);
      drawLine(spider, x + side * 3, knee, x + side * 4, knee + 4, 3);
    }
  }
  blit(spider, body, 0, 0);
  setShade(spider, 6, 12, 0);
  setShade(spider, 9, 12, 0);
  return spider;
}

function drawThread(): Canvas {
  const thread = createCanvas(8, 16);
  fillRect(thread, 3, 0, 1, 16, 2);
  return thread;
}

function drawWasp(pose: number): Canvas {
  const wasp = createCanvas(16, 16);
  const body = createCanvas(16, 16);
  fillEllipse(body, 10, 10, 4.5, 2.8, (x) => (x % 3 === 0 ? 3 : 0));
  fillEllipse(body, 4, 9, 2.4, 2.4, 2);
  setShade(body, 3, 8, 0);
  outline(body, 3);
  blit(wasp, body, 0, 0);
  setShade(wasp, 15, 11, 3);
  drawLine(wasp, 3, 6, 1, 4, 3);
  const wing = createCanvas(16, 16);
  if (pose === 0) fillEllipse(wing, 8.5, 3.5, 2.2, 3, 0);
  else fillEllipse(wing, 9.5, 5, 3.4, 1.4, 0);
  outline(wing, 3);
  blit(wasp, wing, 0, 0);
  return wasp;
}

function drawFlag(lit: boolean): Canvas {
  const flag = createCanvas(16, 16);
  fillRect(flag, 2, 0, 2, 16, 3);
  const cloth = createCanvas(16, 16);
  for (let y = 1; y < 9; y++) {
    const reach = lit ? 10 : 5;
    for (let x = 4; x < 4 + reach; x++) {
      const notch = lit && x > 10 && y > 3 && y < 6;
      if (!notch) setShade(cloth, x, y + (lit ? 0 : (x - 4) >> 1), lit ? ((x + y) % 4 < 2 ? 0 : 2) : 2);
    }
  }
  outline(cloth, 3);
  blit(flag, cloth, 0, 0);
  return flag;
}

/** The fruit of an orchard, 16x16, big enough to be read as food at a glance. */
export function drawFruit(kind: FruitKind): Canvas {
  const fruit = createCanvas(16, 16);
  const body = createCanvas(16, 16);
  switch (kind) {
    case 'pear':
    case 'fig':
      fillEllipse(body, 7.5, 10.5, kind === 'fig' ? 5.6 : 5, 4.2, 2);
      fillEllipse(body, 7.5, 6, 2.4, 3, 2);
      break;
    case 'cherry':
      fillEllipse(body, 4.5, 11, 3, 3, 2);
      fillEllipse(body, 11.5, 10, 3, 3, 2);
      break;
    case 'lemon':
      fillEllipse(body, 7.5, 9, 6, 4.2, 2);
      fillRect(body, 1, 8, 14, 2, 2);
      break;
    case 'olive':
      fillEllipse(body, 7.5, 9.5, 4, 5, 2);
      break;
    case 'plum':
      fillEllipse(body, 7.5, 9.5, 4.8, 4.8, 2);
      break;
    case 'quince':
      fillEllipse(body, 7.5, 10, 5.6, 4.6, 2);
      fillEllipse(body, 7.5, 6.5, 3.2, 2.6, 2);
      break;
    case 'apple':
      fillEllipse(body, 5.6, 9.5, 4, 4.8, 2);
      fillEllipse(body, 9.4, 9.5, 4, 4.8, 2);
  }
  outline(body, 3);
  blit(fruit, body, 0, 0);
  shine(fruit);
  if (kind === 'cherry') {
    drawLine(fruit, 5, 7, 9, 1, 3);
    drawLine(fruit, 11, 6, 9, 1, 3);
  } else {
    drawLine(fruit, 7, 4, 8, 1, 3);
    fillRect(fruit, 9, 1, 3, 2, 3);
    setShade(fruit, 12, 1, 3);
    setShade(fruit, 10, 2, 0);
  }
  return fruit;
}

/** A highlight down the left of the first body pixels of every row. */
function shine(fruit: Canvas): void {
  for (let y = 4; y < 12; y++) {
    for (let x = 1; x < 15; x++) {
      const at = y * 16 + x;
      const edge = fruit.shades[at] === 2 && fruit.shades[at - 1] === 3 && fruit.shades[at - 2] !== 2;
      const inside = fruit.shades[at + 1] === 2 && fruit.shades[at - 16] !== CLEAR;
      if (edge && inside && x < 13) {
        fruit.shades[at] = 0;
        if (y % 3 !== 0) fruit.shades[at + 1] = 0;
        break;
      }
    }
  }
}

const BIRD_UP: Canvas = fromText([
  '......33........',
  '.....3003.......',
  '....30003.......',
  '....300023......',
  '....3000223.....',
  '.33.3000223.....',
  '3223330022333...',
  '32032222222223..',
  '3222222222222233',
  '.33222222222233.',
  '3332200022223...',
  '..33000000233...',
  '....33333333....',
  '......3.3.......',
  '................',
  '................',
]);
const BIRD_DOWN: Canvas = fromText([
  '................',
  '................',
  '................',
  '................',
  '................',
  '.33.............',
  '322333333333....',
  '3203222222222333',
  '3222222222222223',
  '.3322000222233..',
  '3333000022333...',
  '...3000023......',
  '...300023.......',
  '...30023........',
  '....333.........',
  '................',
]);
const FROG: Canvas = fromText([
  '..333....333....',
  '.30003..30003...',
  '.30303333033....',
  '3300322222003...',
  '322222222222233.',
  '3222222222222223',
  '3333333333222223',
  '.30000000322223.',
  '..3000000222223.',
  '...33000022223..',
  '..33222222233...',
  '.32223333223....',
  '.3223..32223....',
  '322233.3222233..',
  '33333..333333...',
  '................',
]);
const BAT_UP: Canvas = fromText([
  '33............33',
  '3233........3323',
  '322233.33.332223',
  '3222223333222223',
  '.32222222222223.',
  '.33232032302333.',
  '...3.322223.3...',
  '.....320023.....',
  '......3333......',
  '.......33.......',
  '................',
  '................',
  '................',
  '................',
  '................',
  '................',
]);
const BAT_DOWN: Canvas = fromText([
  '................',
  '................',
  '......3..3......',
  '......3333......',
  '...333222233....',
  '.33222032302333.',
  '3222222222222223',
  '32223320023.3223',
  '3233...3333..323',
  '33......33....33',
  '................',
  '................',
  '................',
  '................',
  '................',
  '................',
]);
const FALLER: Canvas = fromText([
  '.333333.',
  '30000023',
  '30022223',
  '.302223.',
  '.302223.',
  '.302223.',
  '.302223.',
  '..3023..',
  '..3023..',
  '..3023..',
  '..3023..',
  '...33...',
  '...33...',
  '...33...',
  '........',
  '........',
]);
const HEART: Canvas = fromText([
  '................',
  '................',
  '...3333..3333...',
  '..322223322223..',
  '.32002222222223.',
  '.32002222222223.',
  '.32022222222223.',
  '.32222222222223.',
  '..322222222223..',
  '...3222222223...',
  '....32222223....',
  '.....322223.....',
  '......3223......',
  '.......33.......',
  '................',
  '................',
]);
const SPARKLE: Canvas = fromText([
  '...3....',
  '...3....',
  '..303...',
  '33000333',
  '..303...',
  '...3....',
  '...3....',
  '........',
  '.....3..',
  '....333.',
  '.....3..',
  '........',
  '........',
  '........',
  '........',
  '........',
]);
const LEAF: Canvas = fromText([
  '........',
  '....333.',
  '..33223.',
  '.322233.',
  '.32233..',
  '.333....',
  '3.......',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
]);
const RAIN: Canvas = fromText([
  '.....2..',
  '.....2..',
  '....2...',
  '....2...',
  '...2....',
  '...2....',
  '..2.....',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
]);
const SNOW: Canvas = fromText([
  '.33.....',
  '3003....',
  '3003....',
  '.33.....',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
  '........',
]);
