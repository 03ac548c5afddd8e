/** The selected records of a page. Another page starts without a selection. */
import { useRef, useState } from 'react'

export interface Selection {
  readonly ids: readonly string[]
  has(id: string): boolean
  /** With `isRange`, also all records between this one and the last one. */
  toggle(id: string, isRange: boolean): void
  toggleAll(): void
  set(ids: readonly string[]): void
}

/** `pageKey` identifies the page; `all` are the IDs of its records. */
export function useSelection(pageKey: string, all: readonly string[]): Selection {
  const [state, setState] = useState<{ readonly pageKey: string; readonly ids: readonly string[] }>({
    pageKey,
    ids: [],
  })
  const last = useRef<string>(undefined)
  // Records that left the page are no longer selected.
  const ids = state.pageKey === pageKey ? state.ids.filter((id) => all.includes(id)) : []
  const set = (next: readonly string[]) => setState({ pageKey, ids: next })
  return {
    ids,
    has: (id) => ids.includes(id),
    toggle: (id, isRange) => {
      const from = all.indexOf(last.current ?? '')
      const to = all.indexOf(id)
      const range = isRange && from !== -1 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      const others = ids.filter((candidate) => !range.includes(candidate))
      set(ids.includes(id) ? others : [...others, ...range])
      last.current = id
    },
    toggleAll: () => set(ids.length === all.length ? [] : all),
    set,
  }
}
