/** What every command of `fly` ends with. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2, interrupted: 130 } as const;
