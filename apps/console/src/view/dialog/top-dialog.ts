/** Whether an element is visible in the dialog that has the focus, or on the page. Keys such as Ctrl+S belong there. */
export function isOnTop(element: Element | null): boolean {
  if (!element?.checkVisibility()) return false
  const focused = document.activeElement
  if (focused === null || focused === document.body) return true
  return focused.closest('[role="dialog"]') === element.closest('[role="dialog"]')
}
