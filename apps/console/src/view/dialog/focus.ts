/** Remembers the focus, and returns it to the same element or to its replacement. */

export interface FocusPosition {
  readonly element: HTMLElement
  /** The elements around it, nearest first, with its index among the focusable elements inside each. */
  readonly around: readonly { readonly box: Element; readonly at: number }[]
}

const focusableSelector =
  ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]):not([tabindex="-1"])'

/** The search for a replacement ends at these elements. */
const edges = 'body, main, [data-portal]'

/** The position of the focus; undefined without a focus. */
export function focusPosition(): FocusPosition | undefined {
  return positionOf(document.activeElement)
}

export function positionOf(element: EventTarget | null): FocusPosition | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined
  const around: FocusPosition['around'][number][] = []
  for (let box = element.parentElement; box && !box.matches(edges); box = box.parentElement)
    around.push({ box, at: focusableIn(box).indexOf(element) })
  return { element, around }
}

/** Returns the focus to the element, or else to the nearest one at its position, or else to the content of the page. */
export function focusAt(position: FocusPosition | undefined): void {
  if (position && tryFocus(position.element)) return
  for (const { box, at } of position?.around ?? []) {
    if (!box.isConnected) continue
    const inside = focusableIn(box)
    const next = inside.slice(Math.max(0, at))
    const before = inside.slice(0, Math.max(0, at)).reverse()
    if ([...next, ...before].some(tryFocus)) return
  }
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Moves the focus to the first focusable element inside. */
export function focusInto(box: Element): void {
  focusableIn(box).some(tryFocus)
}

/** From now on, the focus of a removed element moves to its replacement. */
export function keepFocus(): void {
  let last: FocusPosition | undefined
  document.addEventListener('focusin', () => {
    last = focusPosition()
  })
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null || !document.hasFocus()) return
    // A click beside the element removes the focus on purpose. A removed element is gone by then.
    queueMicrotask(() => {
      if (last?.element.isConnected && isFocusLost()) last = undefined
    })
  })
  const observer = new MutationObserver(() => {
    if (last && !last.element.isConnected && isFocusLost()) focusAt(last)
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function focusableIn(box: Element): readonly HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(focusableSelector)]
}

function tryFocus(element: HTMLElement): boolean {
  element.focus()
  return document.activeElement === element
}
