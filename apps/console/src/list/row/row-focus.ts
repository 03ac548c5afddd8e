/** The row that has the focus, and the way to the next one. */

const linkSelector = '.row-link'

/** The ID of the record whose row has the focus. */
export function focusedRowId(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('tr[data-id]')?.dataset.id
}

/** Moves the focus by some rows; from elsewhere, to the first row. */
export function moveRowFocus(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(`tr[data-id] ${linkSelector}`)]
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  links[at === -1 ? 0 : at + step]?.focus()
}
