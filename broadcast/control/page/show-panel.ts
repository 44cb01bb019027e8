import type { ShowChoice, StatusReport } from '../controlled-session.ts';
import { byId, create, setData, setText } from './element.ts';
import { bindHold } from './hold-action.ts';
import { postCommand } from './post-command.ts';
import type { CommandAnswer } from './post-command.ts';
import { describeSwap, listShowCards } from './show-cards.ts';
import type { ShowCard } from './show-cards.ts';

const HOLD_MS = 1_000;
const HINT = 'hold 1 s';
/** An accepted swap is in the status by then; after that a missing one counts as not happening. */
const PATIENCE_MS = 2_000;
const RETRY_MS = 5_000;

type Row = {
  readonly root: HTMLElement;
  readonly detail: HTMLElement;
  readonly state: HTMLElement;
  readonly mark: HTMLElement;
  readonly word: HTMLElement;
  readonly take: HTMLButtonElement;
  readonly hint: HTMLElement;
};

export type ShowPanel = {
  /** @param blockedBy why no show can be taken now, in a few words; empty when one can */
  update(status: StatusReport, blockedBy: string): void;
  /** The connection is back: what it missed is fetched. */
  reload(): void;
  /** @param blockedBy as in `update`, while no status arrives */
  block(blockedBy: string): void;
};

/** Every show, which one is on, and a held button for each of the others. */
export function createShowPanel(): ShowPanel {
  const list = byId('shows-rows');
  const note = byId('shows-note');
  const empty = byId('shows-empty');
  const answer = byId('shows-answer');
  const dialog = byId<HTMLDialogElement>('show-dialog');
  const question = byId('show-question');
  const rows = new Map<string, Row>();
  let choices: readonly ShowChoice[] = [];
  let latest: Pick<StatusReport, 'showId' | 'swap'> = { showId: '', swap: null };
  let blocked = '';
  let asked = '';
  /** The show that was asked for, from asking until the status speaks of the swap. */
  let pending: { readonly id: string; readonly untilMs: number } | null = null;
  let isLoading = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(retry);
    try {
      const response = await fetch('/shows');
      const body = (await response.json()) as { shows?: readonly ShowChoice[]; error?: string };
      if (body.shows === undefined) throw new Error(body.error ?? `answer ${response.status}`);
      choices = body.shows;
      setText(empty, 'This program knows no show.');
      draw();
    } catch (error) {
      setText(empty, `The shows cannot be listed: ${error instanceof Error ? error.message : String(error)}`);
      retry = setTimeout(() => void load(), RETRY_MS);
    } finally {
      isLoading = false;
    }
  }

  async function take(id: string): Promise<void> {
    pending = { id, untilMs: Infinity };
    say('', `asking for ${id}`);
    draw();
    const reply = await postCommand('/show', { id, by: 'console' });
    const isAccepted = reply.status === 202;
    pending = isAccepted ? { id, untilMs: performance.now() + PATIENCE_MS } : null;
    say(isAccepted ? 'ok' : 'warn', explainShow(id, reply));
    draw();
  }

  function say(tone: string, text: string): void {
    setData(answer, 'tone', tone);
    setText(answer, text);
  }

  /** What became of a swap that was in the last status and is not in this one. */
  function tellEnd(to: string, showId: string): void {
    if (showId === to) say('ok', `${to} is on`);
    else say('warn', `${to} was not taken; ${showId} goes on`);
  }

  function draw(): void {
    const cards = listShowCards(choices, latest);
    setText(note, describeSwap(latest.swap));
    setData(note, 'tone', latest.swap === null ? '' : 'busy');
    empty.hidden = cards.length > 0;
    for (const [id, row] of rows) {
      if (cards.some((card) => card.id === id)) continue;
      row.root.remove();
      rows.delete(id);
    }
    const reason = latest.swap !== null ? 'swap under way' : pending !== null ? 'asking' : blocked;
    for (const card of cards) {
      drawRow(rows.get(card.id) ?? createRow(card.id), card, reason);
    }
  }

  function createRow(id: string): Row {
    const row = createCard(id);
    rows.set(id, row);
    list.append(row.root);
    bindHold(row.take, HOLD_MS, {
      onProgress(held) {
        row.take.style.setProperty('--held', String(held));
        setData(row.take, 'holding', String(held > 0));
        if (!row.take.disabled) setText(row.hint, held > 0 ? 'release to keep going' : HINT);
      },
      onHeld: () => void take(id),
      onClickOnly() {
        asked = id;
        setText(question, `Take ${id}?`);
        dialog.showModal();
      },
    });
    return row;
  }

  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'take') void take(asked);
    dialog.returnValue = '';
  });

  return {
    update(status, blockedBy) {
      const before = latest;
      latest = { showId: status.showId, swap: status.swap };
      blocked = blockedBy;
      if (before.swap !== null && status.swap === null) tellEnd(before.swap.to, status.showId);
      if (pending !== null && (status.swap !== null || performance.now() > pending.untilMs)) pending = null;
      if (before.showId !== status.showId) void load();
      draw();
    },
    reload: () => void load(),
    block(blockedBy) {
      blocked = blockedBy;
      draw();
    },
  };
}

export function explainShow(id: string, { status, body }: CommandAnswer): string {
  if (status === 202) return `accepted: ${id} comes next`;
  if (status === 0) return 'no answer; the swap may be under way';
  return `refused: ${String(body['error'])}`;
}

function drawRow(row: Row, card: ShowCard, reason: string): void {
  setText(row.detail, card.detail);
  row.state.hidden = card.word === '';
  setData(row.mark, 'mark', card.mark);
  setText(row.word, card.word);
  setData(row.word, 'tone', card.mark);
  setData(row.root, 'current', String(card.isCurrent));
  row.root.ariaCurrent = card.isCurrent ? 'true' : null;
  // a card with a word of its own has nothing to take: it is on, it leaves or it comes
  row.take.hidden = card.word !== '';
  row.take.disabled = reason !== '';
  if (row.take.disabled) setText(row.hint, reason);
  else if (row.take.dataset['holding'] !== 'true') setText(row.hint, HINT);
}

function createCard(id: string): Row {
  const root = create('li');
  root.dataset['show'] = id;
  const words = create('div', 'words');
  const detail = create('span', 'quiet');
  words.append(create('b', '', id), detail);
  const state = create('span', 'state');
  const mark = create('span', 'mark');
  mark.ariaHidden = 'true';
  const word = create('span', 'word');
  state.append(mark, word);
  const take = create('button', 'hold take');
  take.type = 'button';
  const fill = create('span', 'hold-fill');
  fill.ariaHidden = 'true';
  const text = create('span', 'hold-text');
  const label = create('b', '', 'Take');
  label.append(create('span', 'visually-hidden', ` ${id}`));
  const hint = create('span', 'hint', HINT);
  text.append(label, hint);
  take.append(fill, text);
  root.append(words, state, take);
  return { root, detail, state, mark, word, take, hint };
}
