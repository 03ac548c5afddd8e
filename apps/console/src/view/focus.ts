/** Where the focus is: remembered, and given back to the same element or to what took its place. */

export interface FocusPlace {
  readonly element: HTMLElement
  /** What is around it, the nearest first, with its number among all that can take the focus there. */
  readonly around: readonly { readonly box: Element; readonly at: number }[]
}

const takers =
  ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]):not([tabindex="-1"])'

/** What stands beyond these took no one's place. */
const edges = 'body, main, [data-portal]'

/** The place that has the focus; undefined where nothing has it. */
export function focusPlace(): FocusPlace | undefined {
  return placeOf(document.activeElement)
}

export function placeOf(element: EventTarget | null): FocusPlace | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  const around: FocusPlace['around'][number][] = []
  for (let box = element.parentElement; box && !box.matches(edges); box = box.parentElement)
    around.push({ box, at: takersIn(box).indexOf(element) })
  return { element, around }
}

/** Gives the focus back, at once: to the element, else to what stands where it stood, else to the content of the page. */
export function focusAt(place: FocusPlace | undefined): void {
  if (place && takes(place.element)) return
  for (const { box, at } of place?.around ?? []) {
    if (!box.isConnected) continue
    const inside = takersIn(box)
    const next = inside.slice(Math.max(0, at))
    const before = inside.slice(0, Math.max(0, at)).reverse()
    if ([...next, ...before].some(takes)) return
  }
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Gives the focus to the first in it that takes it. */
export function focusInto(box: Element): void {
  takersIn(box).some(takes)
}

/** From now on, the focus of an element that goes away goes to what took its place. */
export function keepFocus(): void {
  let last: FocusPlace | undefined
  document.addEventListener('focusin', () => {
    last = focusPlace()
  })
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null || !document.hasFocus()) return
    // Who has clicked beside it wants it nowhere; what goes away is gone by then.
    queueMicrotask(() => {
      if (last?.element.isConnected && isNowhere()) last = undefined
    })
  })
  const watch = new MutationObserver(() => {
    if (last && !last.element.isConnected && isNowhere()) focusAt(last)
  })
  watch.observe(document.body, { childList: true, subtree: true })
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function takersIn(box: Element): readonly HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(takers)]
}

function takes(element: HTMLElement): boolean {
  element.focus()
  return document.activeElement === element
}
