import type { SoundReport, StageReport } from '../controlled-session.ts';
import { byId, setCells, setData, setText } from './element.ts';
import { openPreviewPlayer } from './preview-player.ts';
import type { PictureState } from './preview-player.ts';

const METER_CELLS = 24;
/** The meter spans this much below full scale; its last quarter is loud. */
const METER_DB = 60;

export type PicturePanel = { update(isLive: boolean, stage: StageReport, sound: SoundReport | null): void };

/** The picture on air, or the honest reason why there is none. */
export function createPicturePanel(): PicturePanel {
  const video = byId<HTMLVideoElement>('picture');
  const cover = byId('picture-cover');
  const delay = byId('picture-delay');
  const panel = byId('program');
  const mark = panel.querySelector<HTMLElement>('h2 .mark')!;
  const meter = byId('meter');
  const toggle = byId<HTMLButtonElement>('sound-toggle');
  const note = byId('sound-note');
  let stageState: StageReport['state'] = 'starting';

  toggle.addEventListener('click', () => (video.muted = !video.muted));
  video.addEventListener('volumechange', () => {
    setText(toggle, video.muted ? 'Unmute' : 'Mute');
    toggle.ariaPressed = String(!video.muted);
    setText(note, video.muted ? 'sound is off on this page' : 'sound is on on this page');
  });

  openPreviewPlayer(video, (state) => {
    const isPlaying = state.kind === 'playing';
    cover.hidden = isPlaying;
    if (!isPlaying) setText(cover, explainPicture(state, stageState));
    setData(cover, 'tone', state.kind === 'connecting' || state.kind === 'starting' ? '' : 'warn');
    setText(delay, isPlaying ? `${state.behindSeconds.toFixed(1)} s behind` : 'no picture');
  });

  return {
    update(isLive, stage, sound) {
      stageState = stage.state;
      setData(panel, 'live', String(isLive));
      setData(mark, 'mark', isLive ? 'ok' : 'idle');
      const rmsDb = sound?.rmsDb ?? null;
      const lit = rmsDb === null ? 0 : Math.round(Math.max(0, 1 + rmsDb / METER_DB) * METER_CELLS);
      setCells(meter, METER_CELLS, lit, METER_CELLS * 0.8, 'hot');
      meter.ariaLabel = `Program sound, ${rmsDb === null ? 'not measured' : `${rmsDb.toFixed(0)} dB`}`;
    },
  };
}

export function explainPicture(state: PictureState, stage: StageReport['state']): string {
  switch (state.kind) {
    case 'connecting':
      return 'No picture: connecting';
    case 'no-stream':
      return stage === 'off' ? 'No picture: this run draws none' : `No picture: the stage is ${stage}, no stream yet`;
    case 'starting':
      return 'No picture yet: waiting for a keyframe';
    case 'still':
      return `No picture: nothing new for ${state.seconds.toFixed(0)} s`;
    case 'unsupported':
      return `No picture: this browser does not play ${state.mimeType}`;
    case 'broken':
      return `No picture: ${state.reason}`;
    case 'playing':
      return '';
    default:
      return state satisfies never;
  }
}
