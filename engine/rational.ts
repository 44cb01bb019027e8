import { InvariantError } from './errors.ts';

/** An exact, reduced, non-negative span of time in nanoseconds: `numerator / denominator`. */
export type RationalNs = { readonly numerator: bigint; readonly denominator: bigint };

export const U64_MAX: bigint = (1n << 64n) - 1n;

/** @throws InvariantError RATIONAL when the denominator is not positive or a part leaves the U64 range once reduced */
export function rationalNs(numerator: bigint, denominator = 1n): RationalNs {
  if (denominator <= 0n || numerator < 0n) {
    throw new InvariantError('RATIONAL', `${numerator}/${denominator} is not a span of time.`);
  }
  const divisor = greatestCommonDivisor(numerator, denominator);
  const reduced = { numerator: numerator / divisor, denominator: denominator / divisor };
  if (reduced.numerator > U64_MAX || reduced.denominator > U64_MAX) {
    throw new InvariantError('RATIONAL', `${numerator}/${denominator} ns does not fit 64 bits.`);
  }
  return reduced;
}

export function addRational(a: RationalNs, b: RationalNs): RationalNs {
  return rationalNs(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** `count` times `span`. */
export function multiplyRational(span: RationalNs, count: bigint): RationalNs {
  return rationalNs(span.numerator * count, span.denominator);
}

/** Nearest double, in milliseconds. For display, pacing and media time; never accumulated. */
export function rationalToMs(span: RationalNs): number {
  const whole = span.numerator / span.denominator;
  const rest = span.numerator % span.denominator;
  return Number(whole) / 1e6 + Number(rest) / Number(span.denominator) / 1e6;
}

/** `count` times `span` in milliseconds, for display: however long a show has run, it has a nearest double. */
export function spansToMs({ numerator, denominator }: RationalNs, count: bigint): number {
  return rationalToMs({ numerator: numerator * count, denominator });
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
