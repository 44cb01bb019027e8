/** Further from where it went down, a pointer has left on purpose. */
const DRAG_PX = 48;

export type HoldHandlers = {
  /** 0..1 while held; 0 again after letting go. */
  readonly onProgress: (held: number) => void;
  readonly onHeld: () => void;
  /** Somebody who cannot hold asked: assistive technology clicks without pressing. */
  readonly onClickOnly: () => void;
};

/**
 * An act that happens only after `holdMs` of holding, by finger, mouse, Space or Enter. Letting go, dragging away,
 * Escape, a hidden tab or a button switched off meanwhile cancels; a page that moves under the finger, because an alarm came up, does not.
 */
export function bindHold(target: HTMLButtonElement, holdMs: number, handlers: HoldHandlers): void {
  let startedAtMs: number | null = null;
  let pointed = false;
  let pressedAt = { x: 0, y: 0 };

  function start(): void {
    if (startedAtMs !== null || target.disabled) return;
    startedAtMs = performance.now();
    requestAnimationFrame(turn);
  }

  function turn(nowMs: number): void {
    if (startedAtMs === null) return;
    if (target.disabled) return cancel(); // what it would do is not possible any more
    const held = Math.max(0, Math.min(1, (nowMs - startedAtMs) / holdMs));
    handlers.onProgress(held);
    if (held < 1) {
      requestAnimationFrame(turn);
      return;
    }
    cancel();
    handlers.onHeld();
  }

  function cancel(): void {
    if (startedAtMs === null) return;
    startedAtMs = null;
    handlers.onProgress(0);
  }

  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointed = true;
    pressedAt = { x: event.clientX, y: event.clientY };
    target.setPointerCapture(event.pointerId);
    start();
  });
  target.addEventListener('pointermove', (event) => {
    if (Math.hypot(event.clientX - pressedAt.x, event.clientY - pressedAt.y) > DRAG_PX) cancel();
  });
  for (const name of ['pointerup', 'pointercancel', 'blur'] as const) target.addEventListener(name, cancel);
  document.addEventListener('visibilitychange', cancel);
  target.addEventListener('contextmenu', (event) => event.preventDefault()); // a long touch opens a menu otherwise
  target.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') cancel();
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault(); // no click comes from holding a key
    if (!event.repeat) start();
  });
  target.addEventListener('keyup', (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    cancel();
  });
  target.addEventListener('click', () => {
    const fromPointer = pointed;
    pointed = false;
    if (!fromPointer) handlers.onClickOnly();
  });
}
