/** The records of a page that someone has chosen, to do something with all of them. Another page begins with none. */
import { useRef, useState } from 'react'

export interface Chosen {
  readonly ids: readonly string[]
  has(id: string): boolean
  /** With `isRange`, all between it and the one before as well. */
  toggle(id: string, isRange: boolean): void
  toggleAll(): void
  set(ids: readonly string[]): void
}

/** `place` tells pages apart; `all` are the records of this one. */
export function useChosen(place: string, all: readonly string[]): Chosen {
  const [state, setState] = useState<{ readonly place: string; readonly ids: readonly string[] }>({ place, ids: [] })
  const last = useRef<string>(undefined)
  // What is gone from the page is chosen no more.
  const ids = state.place === place ? state.ids.filter((id) => all.includes(id)) : []
  const set = (next: readonly string[]) => setState({ place, ids: next })
  return {
    ids,
    has: (id) => ids.includes(id),
    toggle: (id, isRange) => {
      const from = all.indexOf(last.current ?? '')
      const to = all.indexOf(id)
      const range = isRange && from !== -1 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      const others = ids.filter((one) => !range.includes(one))
      set(ids.includes(id) ? others : [...others, ...range])
      last.current = id
    },
    toggleAll: () => set(ids.length === all.length ? [] : all),
    set,
  }
}
