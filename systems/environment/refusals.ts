import { InvariantError } from '../../engine/errors.ts';

/** What every environment answers to a step, capture or slot before its first boundary. */
export function notBegun(environmentId: string): InvariantError {
  return new InvariantError('ENVIRONMENT_ORDER', `${environmentId}: boot or restore comes before anything else.`);
}

/** @throws InvariantError SLOT_UNKNOWN; slots are declared when an environment is opened */
export function requireSlot(environmentId: string, declared: readonly string[], slotId: string): string {
  if (declared.includes(slotId)) return slotId;
  const message = `${environmentId}: slot ${slotId} is not declared (${declared.join(', ')}).`;
  throw new InvariantError('SLOT_UNKNOWN', message);
}
