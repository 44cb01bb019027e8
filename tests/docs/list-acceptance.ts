import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Every acceptance id of session.md 25 with what it asks, in short. */
const ASKED: Readonly<Record<string, string>> = {
  'SCH-01': 'one world step per complete batch',
  'SCH-02': 'all brains prepared before the world, all outcomes taken before publication',
  'SCH-03': 'one judgement per step, each reward paid once',
  'SCH-04': 'dispatch order and thread count change nothing',
  'SCH-05': 'tick counts and remainders are exact',
  'SCH-06': 'impossible clocks are refused',
  'SCH-07': 'a pause finishes the transition and holds its boundary',
  'SCH-08': 'boot moves no world and pays nothing',
  'SCH-09': 'flies share no state',
  'SCH-10': 'a late fly delays, a dead one stops by name',
  'SCH-11': 'a batch that is not whole and in range is refused',
  'SCH-12': 'no system runs twice in a step',
  'SCH-13': 'the order of picture and reward is detected',
  'SCH-14': 'zero reinforcement is called, learning off is a state',
  'SCH-15': 'equal seeds are refused, seed vectors hold',
  'SCH-16': 'a third world needs no edit elsewhere',
  'SCH-17': 'commands are taken at one point, sugar in order',
  'MED-01': 'views are whole and of the declared boundary',
  'MED-02': 'one picture per boundary, the same for everybody',
  'MED-03': 'sound lies on its timeline',
  'MED-04': 'sample conversion and DC blocker vectors',
  'MED-05': 'reading memory changes nothing',
  'MED-06': 'no buffer is reused early',
  'MED-07': 'only permitted pixels reach a fly',
  'PER-01': 'a resumed run equals the uninterrupted one',
  'PER-02': 'one damaged part refuses the whole install',
  'PER-03': 'each kind of file damage is refused by its own check',
  'PER-04': 'a crash at any point of a save leaves a loadable store',
  'PER-05': 'a stalled writer bounds its queue and never the session',
  'PER-06': 'a lost answer moves no durable mark',
  'PER-07': 'captures only at committed boundaries',
  'PER-08': 'a half activation resumes nothing',
  'PER-09': 'nothing of an old epoch appears after recovery',
  'PER-10': 'rollback keeps and clears exactly what is listed',
  'PER-11': 'restore order, and what happens when nothing loads',
  'PER-12': 'a milestone archive is consistent',
  'PER-13': 'unknown store manifests are refused',
  'PER-14': 'required manifest fields, exact counters',
  'PRO-01': 'canonical and strict JSON',
  'PRO-02': 'published digests are reproduced',
  'PRO-03': 'two brains of unequal size and two kinds of view in one feed',
  'PRO-04': 'descriptor revisions are repaired or refused',
  'PRO-05': 'viewers change no step',
  'PRO-06': 'decisions unknown exactly at boundary 0',
  'PRO-07': 'sugar limiter vectors',
  'PRO-08': 'redemptions are fulfilled or refunded once',
  'PRO-09': 'bad targets and kinds are refused before mutation',
  'PRO-10': 'no route presses, writes or rewards',
  'PRO-11': 'kinds of trouble are told apart',
  'PRO-12': 'version 1 readers keep working',
};

export type NamedTest = { readonly file: string; readonly title: string };

/** The page `docs/acceptance.md`: which test proves which acceptance id, and which ids have none. */
export function acceptancePage(): string {
  const tests = testFiles().flatMap(readTitles);
  const proofs = new Map(Object.keys(ASKED).map((id) => [id, tests.filter(({ title }) => namesId(title, id))]));
  const open = [...proofs].filter(([, found]) => found.length === 0).map(([id]) => id);
  const naming = tests.filter(({ title }) => Object.keys(ASKED).some((id) => namesId(title, id)));
  return [
    '# Acceptance',
    '',
    'Which test proves what. Made from the titles of the tests by',
    '`node_modules/.bin/node tests/docs/list-acceptance.ts > docs/acceptance.md`; a test compares it with the sources.',
    'A row of parameters counts as one test here.',
    '',
    `${proofs.size - open.length} of the ${proofs.size} ids of session.md 25 have a test; ${naming.length} tests name one.`,
    '',
    `No test yet: ${open.length === 0 ? 'none' : open.map((id) => `${id} (${ASKED[id]!})`).join(', ')}.`,
    '',
    '## Acceptance ids (session.md 25)',
    ...[...proofs].flatMap(([id, found]) => ['', `### ${id}: ${ASKED[id]!}`, '', ...listTests(found)]),
    '',
    '## Sections and rules named in titles',
    ...citedSections(tests),
    '',
  ].join('\n');
}

function listTests(found: readonly NamedTest[]): string[] {
  if (found.length === 0) return ['- no test yet'];
  return found.map(({ file, title }) => `- \`${file}\`: ${title.replace(/([*_<|])/g, '\\$1')}`);
}

function namesId(title: string, id: string): boolean {
  return new RegExp(`\\b${id}\\b`).test(title);
}

const CITATION = /\b([a-z][a-z-]*)\.md ((?:[A-Z]?\d+(?:\.\d+)*)(?:(?:, | and )[A-Z]?\d+(?:\.\d+)*)*)/g;

/** Per document a table: section or rule, number of tests, files. */
function citedSections(tests: readonly NamedTest[]): string[] {
  const documents = new Map<string, Map<string, NamedTest[]>>();
  for (const test of tests) {
    for (const [, name, list] of test.title.matchAll(CITATION)) {
      const sections = documents.get(name!) ?? new Map<string, NamedTest[]>();
      documents.set(name!, sections);
      for (const section of list!.split(/, | and /)) sections.set(section, [...(sections.get(section) ?? []), test]);
    }
  }
  return [...documents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, sections]) => [
      '',
      `### ${name}.md`,
      '',
      '| Section or rule | Tests | In |',
      '| --- | --- | --- |',
      ...[...sections]
        .sort(([a], [b]) => bySection(a, b))
        .map(([section, found]) => {
          const files = [...new Set(found.map(({ file }) => `\`${file}\``))];
          return `| ${section} | ${found.length} | ${files.join(', ')} |`;
        }),
    ]);
}

/** 4.9 comes before 4.10. */
function bySection(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function testFiles(): string[] {
  return readdirSync('tests', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Titles of `test('...')`, `test.each(...)('...')` and their kin, file order. */
function readTitles(file: string): NamedTest[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: NamedTest[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [first] = node.arguments;
      const title = first === undefined ? null : literalText(first, source);
      if (title !== null) found.push({ file, title });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'test';
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
}

function literalText(node: ts.Expression, source: ts.SourceFile): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText(source).slice(1, -1) : null;
}

if (import.meta.main) process.stdout.write(acceptancePage());
