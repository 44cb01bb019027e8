/** One line of a verdict. `shown` has no bound; `too short` needs a longer run before it says anything. */
export type BenchRule = {
  readonly rule: string;
  /** Null when nothing could be measured. */
  readonly measured: number | null;
  readonly unit: string;
  readonly bound: string;
  readonly verdict: 'ok' | 'not ok' | 'too short' | 'shown';
  /** Names of what went wrong, empty when nothing has one. */
  readonly note: string;
};

export function isBroken({ verdict }: BenchRule): boolean {
  return verdict === 'not ok';
}

/** What is broken, by name, for the message the bench ends with. */
export function namesOfBroken(rules: readonly BenchRule[]): string[] {
  return rules.filter(isBroken).map(({ rule }) => rule);
}

/** Broken above the bound, and when nothing was measured. */
export function atMost(rule: string, measured: number | null, unit: string, bound: number, note = ''): BenchRule {
  const verdict = measured !== null && measured <= bound ? 'ok' : 'not ok';
  return { rule, measured, unit, bound: `<= ${bound}`, verdict, note };
}

/** Broken below the bound, and when nothing was measured. */
export function atLeast(rule: string, measured: number | null, unit: string, bound: number, note = ''): BenchRule {
  const verdict = measured !== null && measured >= bound ? 'ok' : 'not ok';
  return { rule, measured, unit, bound: `>= ${bound}`, verdict, note };
}

export function shown(rule: string, measured: number | null, unit: string, note = ''): BenchRule {
  return { rule, measured, unit, bound: '', verdict: 'shown', note };
}

type Ending = { readonly end: string; readonly summary: { readonly endedBy: string } | null };

/** Ended by its own count, with exit code 0. */
export function endsWell(rule: string, { end, summary }: Ending): BenchRule {
  const endedBy = summary?.endedBy ?? 'no summary';
  const failures = end === '0' && endedBy === 'count reached' ? 0 : 1;
  return atMost(rule, failures, '', 0, `exit ${end}, ${endedBy}`);
}
