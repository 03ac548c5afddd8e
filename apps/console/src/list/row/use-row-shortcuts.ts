/** Keyboard shortcuts of a list: rows, selection, and new records. */
import { useShortcuts } from '../../view/use-shortcuts.ts'
import { focusedRowId, moveRowFocus } from './row-focus.ts'

interface RowShortcuts {
  /** Undefined if records cannot be created here. */
  readonly onNew: (() => void) | undefined
  onEdit(id: string): void
  onPeek(id: string): void
  onToggle(id: string): void
}

export function useRowShortcuts({ onNew, onEdit, onPeek, onToggle }: RowShortcuts): void {
  const withRow = (run: (id: string) => void) => () => {
    const id = focusedRowId()
    if (id !== undefined) run(id)
  }
  useShortcuts({
    j: () => moveRowFocus(1),
    k: () => moveRowFocus(-1),
    x: withRow(onToggle),
    e: withRow(onEdit),
    o: withRow(onPeek),
    ...(onNew && { n: onNew }),
  })
}
