import { loadConfig, loadShow } from '../../config/load-config.ts';
import { systemClock } from '../../engine/clock.ts';
import { createEventLog } from '../../engine/event-log.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { createPacer } from '../../engine/pacer.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import { formatSchedule } from '../../engine/schedule.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { resolveHome } from '../home.ts';

/** Prints the tick a show runs. Every show runs the same one; the name is only checked. */
export async function scheduleCommand(name: string | undefined): Promise<void> {
  const { root } = resolveHome(process.env);
  const config = await loadConfig({ home: root, environment: process.env, overrides: {} });
  const show = await loadShow(name ?? config.show, root);
  const clock = systemClock;
  const schedule = createSchedule({
    publisher: createPublisher(),
    limiter: createSugarLimiter(clock),
    revision: 1,
    trace: createBehaviourDigest(),
    eventLog: createEventLog({ path: '', clock, onFailure: () => undefined }),
    pacer: createPacer({ clock, periodMs: 0, onLag: () => undefined }),
  });
  process.stdout.write(`one transition of ${show.id}, in order; [rows] are those of docs/architecture.md\n\n`);
  process.stdout.write(`${formatSchedule(schedule)}\n`);
}
