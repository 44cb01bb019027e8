import type { TaskModule } from '../../../engine/contract/task.ts';
import { CORNERS_PRESENTATION } from '../arena/presentation.ts';
import { createMatchTask, taskModule as duel } from '../arena/task.ts';

const TASK_ID = 'four-player-rounds-v1';

/** The arena's match with a fly in every corner. Same rules, rewards and progress; only the words differ. */
export const taskModule: TaskModule = {
  ...duel,
  id: TASK_ID,
  presentation: CORNERS_PRESENTATION,
  create: (options) => createMatchTask(TASK_ID, options),
};
