/**
 * An orchard is a row of pieces, 16 columns each. A piece is named by words: terrain first, then what waits there.
 * Columns count from the piece's start; heights are field pixels, 16 just below the bar, 104 the ground.
 */
export type Overlay = {
  readonly kind: 'water' | 'crate' | 'platform' | 'bramble' | 'pillar';
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
};

export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Order is the number the cartridge uses (creatures.c). */
export const ENTITY_KINDS = ['fruit', 'heart', 'flag', 'spider', 'bird', 'frog', 'wasp', 'bat', 'falling'] as const;

export type Entity = {
  readonly kind: EntityKind;
  readonly column: number;
  readonly y: number;
  readonly parameter: number;
};

export type Layout = { readonly overlays: Overlay[]; readonly entities: Entity[] };

export const PIECE_COLUMNS = 16;
/** Checkpoint trees stand every four pieces. */
export const SECTION_PIECES = 4;
const BOTTOM_ROW = 9;

/** Reads the words of every piece. @throws Error on a word nobody knows */
export function layOut(pieces: readonly string[]): Layout {
  const layout: Layout = { overlays: [], entities: [] };
  pieces.forEach((words, index) => {
    const base = index * PIECE_COLUMNS;
    if (index > 0 && index % SECTION_PIECES === 0 && index < pieces.length - 1) {
      add(layout, 'flag', base + 2, 88, index / SECTION_PIECES);
    }
    for (const word of words.split(' ')) {
      const place = WORDS[word];
      if (place === undefined) throw new Error(`piece ${index}: no word "${word}" (levels/pieces.ts)`);
      place(layout, base, index);
    }
  });
  layout.entities.sort((a, b) => a.column - b.column);
  let fruit = 0;
  const entities = layout.entities.map((entity) =>
    entity.kind === 'fruit' ? { ...entity, parameter: fruit++ } : entity,
  );
  if (fruit > 64) throw new Error(`${fruit} fruit in one orchard; the cartridge remembers 64`);
  return { overlays: layout.overlays, entities };
}

type Place = (layout: Layout, base: number, index: number) => void;

function add(layout: Layout, kind: EntityKind, column: number, y: number, parameter: number = 0): void {
  layout.entities.push({ kind, column, y, parameter });
}

function stack(layout: Layout, kind: 'crate' | 'pillar', column: number, height: number, width: number = 2): void {
  layout.overlays.push({ kind, column, row: BOTTOM_ROW - height, width, height });
}

function platform(layout: Layout, column: number, row: number, width: number): void {
  layout.overlays.push({ kind: 'platform', column, row, width, height: 1 });
}

function water(layout: Layout, column: number, width: number): void {
  layout.overlays.push({ kind: 'water', column, row: 9, width, height: 3 });
}

function bramble(layout: Layout, column: number, width: number): void {
  layout.overlays.push({ kind: 'bramble', column, row: 8, width, height: 1 });
}

const WORDS: Readonly<Record<string, Place>> = {
  meadow: () => undefined,
  crate: (layout, base) => {
    stack(layout, 'crate', base + 7, 2);
    add(layout, 'fruit', base + 7, 72);
  },
  crates: (layout, base) => {
    stack(layout, 'crate', base + 5, 2, 4);
    stack(layout, 'crate', base + 7, 4);
    add(layout, 'fruit', base + 7, 54);
  },
  tower: (layout, base) => {
    stack(layout, 'crate', base + 8, 6);
    add(layout, 'fruit', base + 8, 38);
    add(layout, 'fruit', base + 5, 86);
  },
  pond: (layout, base) => {
    water(layout, base + 5, 5);
    add(layout, 'fruit', base + 7, 66);
  },
  lake: (layout, base) => {
    water(layout, base + 3, 10);
    platform(layout, base + 6, 5, 4);
    add(layout, 'fruit', base + 7, 54);
  },
  sea: (layout, base) => {
    water(layout, base + 1, 14);
    add(layout, 'fruit', base + 4, 70);
    add(layout, 'fruit', base + 10, 70);
  },
  ledge: (layout, base) => {
    platform(layout, base + 3, 5, 5);
    add(layout, 'fruit', base + 4, 54);
    add(layout, 'fruit', base + 6, 54);
  },
  stairs: (layout, base) => {
    platform(layout, base + 2, 6, 4);
    platform(layout, base + 7, 4, 4);
    platform(layout, base + 12, 2, 3);
    add(layout, 'fruit', base + 8, 46);
    add(layout, 'fruit', base + 13, 28);
  },
  thorns: (layout, base) => bramble(layout, base + 6, 4),
  hedge: (layout, base) => {
    bramble(layout, base + 2, 12);
    add(layout, 'fruit', base + 7, 74);
  },
  pillar: (layout, base) => {
    stack(layout, 'pillar', base + 9, 5);
    add(layout, 'fruit', base + 9, 44);
  },
  gate: (layout, base) => {
    stack(layout, 'pillar', base + 4, 4);
    stack(layout, 'pillar', base + 11, 6);
    bramble(layout, base + 7, 2);
    add(layout, 'fruit', base + 7, 60);
  },
  arc: (layout, base) => {
    add(layout, 'fruit', base + 3, 68);
    add(layout, 'fruit', base + 7, 52);
    add(layout, 'fruit', base + 11, 68);
  },
  pair: (layout, base, index) => {
    const y = index % 2 === 0 ? 44 : 76;
    add(layout, 'fruit', base + 12, y);
    add(layout, 'fruit', base + 14, y);
  },
  one: (layout, base, index) => add(layout, 'fruit', base + 13, 36 + ((index * 20) % 48)),
  heart: (layout, base) => add(layout, 'heart', base + 10, 30),
  spider: (layout, base, index) => add(layout, 'spider', base + 10 + (index % 3), 22, index & 1),
  spiders: (layout, base) => {
    add(layout, 'spider', base + 4, 20, 1);
    add(layout, 'spider', base + 12, 22, 0);
  },
  bird: (layout, base, index) => add(layout, 'bird', base + 13, 36 + ((index * 23) % 44), 0),
  birds: (layout, base, index) => {
    add(layout, 'bird', base + 6, 34 + ((index * 17) % 20), 1);
    add(layout, 'bird', base + 14, 66, 0);
  },
  frog: (layout, base) => add(layout, 'frog', base + 7, 112),
  frogs: (layout, base) => {
    add(layout, 'frog', base + 5, 112);
    add(layout, 'frog', base + 11, 112);
  },
  wasp: (layout, base, index) => add(layout, 'wasp', base + 13, 30 + ((index * 31) % 50)),
  wasps: (layout, base) => {
    add(layout, 'wasp', base + 5, 26);
    add(layout, 'wasp', base + 14, 80);
  },
  bat: (layout, base, index) => add(layout, 'bat', base + 12, 52 + ((index * 11) % 20)),
  bats: (layout, base) => {
    add(layout, 'bat', base + 5, 52);
    add(layout, 'bat', base + 13, 62);
  },
  ice: (layout, base, index) => {
    add(layout, 'falling', base + 4 + (index % 3), 18);
    add(layout, 'falling', base + 11, 18);
  },
  goal: (layout, base) => {
    for (let i = 0; i < 3; i++) add(layout, 'fruit', base + 1 + i * 2, 60);
  },
};
