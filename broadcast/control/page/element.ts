/** The element with this id. The page is served with its script, so a missing one is a mistake of ours. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the page's HTML states the element type
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`console page: there is no element "${id}"`);
  return found as T;
}

export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

/** Writes only what changed: an unchanged text is not announced again by a screen reader. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setData(element: HTMLElement, name: string, value: string): void {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}

/** A row of small cells of which the first `on` are lit; from `hotFrom` on in the second colour. */
export function setCells(parent: HTMLElement, count: number, on: number, hotFrom: number, hotName: string): void {
  while (parent.childElementCount < count) parent.append(document.createElement('i'));
  for (let i = 0; i < count; i++) {
    const state = i >= on ? 'false' : i >= hotFrom ? hotName : 'true';
    setData(parent.children[i] as HTMLElement, 'on', state);
  }
}
