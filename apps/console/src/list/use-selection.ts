/** The selected records of a page. It is a store, so that a tick renders the row again and not the whole list. */

import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { Listeners } from '../listeners.ts'

export class Selection {
  #ids: readonly string[] = []
  /** The IDs of all records of the page. */
  #all: readonly string[] = []
  #last: string | undefined
  readonly #listeners = new Listeners()

  readonly subscribe = this.#listeners.subscribe

  get ids(): readonly string[] {
    return this.#ids
  }

  readonly isEmpty = (): boolean => this.#ids.length === 0

  readonly hasAll = (): boolean => this.#ids.length > 0 && this.#ids.length === this.#all.length

  has(id: string): boolean {
    return this.#ids.includes(id)
  }

  /** With `isRange`, also all records between this one and the last one. */
  readonly toggle = (id: string, isRange: boolean): void => {
    const from = this.#all.indexOf(this.#last ?? '')
    const to = this.#all.indexOf(id)
    const range = isRange && from !== -1 ? this.#all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    const others = this.#ids.filter((candidate) => !range.includes(candidate))
    this.#last = id
    this.set(this.has(id) ? others : [...others, ...range])
  }

  readonly toggleAll = (): void => this.set(this.hasAll() ? [] : this.#all)

  /** Only records of the page can be selected. */
  set(ids: readonly string[]): void {
    this.#ids = ids.filter((id) => this.#all.includes(id))
    this.#listeners.notify()
  }

  /** The records of the page have changed. */
  keep(all: readonly string[]): void {
    this.#all = all
    this.set(this.#ids)
  }
}

/** `pageKey` identifies the page, and another page starts without a selection; `all` are the IDs of its records. */
export function useSelection(pageKey: string, all: readonly string[]): Selection {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new selection for each page
  const selection = useMemo(() => new Selection(), [pageKey])
  const key = all.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `all` is a new array in every render, with the same IDs
  useLayoutEffect(() => selection.keep(all), [selection, key])
  return selection
}

const none = new Selection()

/** A value of a selection; the component renders again if the value changes. No selection is empty. */
export function useSelected<Value>(selection: Selection = none, read: (selection: Selection) => Value): Value {
  return useSyncExternalStore(selection.subscribe, () => read(selection))
}
