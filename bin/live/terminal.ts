/** What an operator reads while a command runs. One line at a time; a bar on a terminal. */
export type Terminal = {
  line(text: string): void;
  /** A long step: redrawn in place on a terminal, else one line every few seconds and one at the end. */
  progress(label: string, done: number, total: number): void;
};

const BAR_CELLS = 32;
const PLAIN_EVERY_MS = 3_000;

export type TerminalStream = { readonly isTTY?: boolean; write(text: string): unknown };

export function createTerminal(stream: TerminalStream, nowMs: () => number): Terminal {
  let barShown = false;
  let plainAtMs = -Infinity;
  let finished = '';
  const endBar = (): void => {
    if (barShown) stream.write('\r\x1b[K');
    barShown = false;
  };
  return {
    line(text) {
      endBar();
      stream.write(`${text}\n`);
    },
    progress(label, done, total) {
      if (done >= total && finished === label) return; // several steps of one job may all report its end
      finished = done >= total ? label : '';
      const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
      if (stream.isTTY === true) {
        const filled = Math.round((percent / 100) * BAR_CELLS);
        stream.write(`\r\x1b[K${label} [${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}] ${percent} %`);
        barShown = true;
        if (done >= total) endBar();
        return;
      }
      if (nowMs() - plainAtMs < PLAIN_EVERY_MS && done < total) return;
      plainAtMs = done >= total ? -Infinity : nowMs();
      stream.write(`${label}: ${percent} %\n`);
    },
  };
}
