import type { RecoveryLedger } from './ledger.ts';
import type { Sample } from './sample.ts';

/** Brain time without new ground after which the game goes back to slot `best`, and the budgets of doing so. */
export const STALL_MS = 600_000;
export const COOLDOWN_MS = 60_000;
export const ROLLBACKS_PER_RUNG = 3;
export const ROLLBACKS_LIFETIME = 48;

/** The fly is up and well: a place worth coming back to. */
export function isSafe(sample: Sample): boolean {
  return sample.mode === 'playing' && sample.hearts > 0 && sample.hurtTimer === 0 && sample.gustTimer === 0;
}

/** True when slot `best` should be filled now; remembers that it was. A rung is archived once. */
export function archive(recovery: RecoveryLedger, rank: number, sample: Sample): boolean {
  if (rank <= recovery.slotRank || !isSafe(sample)) return false;
  recovery.slotRank = rank;
  return true;
}

/** True when the stall policy asks for a rollback at brain time `nowMs`; spends the budget. */
export function rollBack(recovery: RecoveryLedger, nowMs: number): boolean {
  if (recovery.slotRank < 0 || recovery.newGroundAtMs === null) return false;
  if (nowMs - recovery.newGroundAtMs < STALL_MS) return false;
  if (recovery.onThisRung >= ROLLBACKS_PER_RUNG || recovery.lifetime >= ROLLBACKS_LIFETIME) return false;
  if (recovery.rolledBackAtMs !== null && nowMs - recovery.rolledBackAtMs < COOLDOWN_MS) return false;
  recovery.rolledBackAtMs = nowMs;
  recovery.newGroundAtMs = nowMs;
  recovery.onThisRung++;
  recovery.lifetime++;
  return true;
}
