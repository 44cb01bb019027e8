/** Tags: what an entity is. The library recycles entity numbers, so `StableId` names it. */
export const Session = {};
export const Agent = {};
export const BrainEntity = {};
export const Environment = {};
export const Port = {};
export const Task = {};
export const Executor = {};
export const View = {};
export const AudioStream = {};
export const Slot = {};
export const InteractionEntity = {};
export const CheckpointJob = {};
