import type { ProgressReport } from '../controlled-session.ts';
import { byId, create, setData, setText } from './element.ts';

/** How far the fly got: the present rung, the next one, and the whole ladder as a spine. */
export function createRungPanel(): { update(progress: ProgressReport | null): void } {
  const mode = byId('rung-mode');
  const line = byId('rung-line');
  const spine = byId('spine');
  let shown = '';
  return {
    update(progress) {
      const key = JSON.stringify(progress);
      if (key === shown) return;
      shown = key;
      setText(mode, progress?.mode ?? '');
      line.replaceChildren(...(progress === null ? [create('span', 'unknown', '--')] : describeRung(progress)));
      const rungs = progress?.rungs ?? 0;
      spine.replaceChildren(...Array.from({ length: rungs }, () => create('i')));
      for (let i = 0; i < rungs; i++) {
        const state = i < progress!.rank ? 'reached' : i === progress!.rank ? 'current' : 'future';
        setData(spine.children[i] as HTMLElement, 'rung', state);
      }
      const earned = progress === null ? 'not known yet' : `${progress.rank + 1} of ${rungs} rungs earned`;
      spine.ariaLabel = `Ladder, ${earned}`;
    },
  };
}

function describeRung({ rank, rungs, label, next }: ProgressReport): HTMLElement[] {
  const parts = [create('span', 'count', `${rank + 1}/${rungs}`), create('b', '', rank < 0 ? 'no rung yet' : label)];
  if (rank + 1 < rungs) parts.push(create('span', 'quiet', `next ${next}`));
  return parts;
}
