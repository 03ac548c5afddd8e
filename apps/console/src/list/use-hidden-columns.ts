/** The hidden columns of a list, stored in the browser. New columns of the service are shown. */
import { useState } from 'react'
import { isHistory } from '../model/history/history.ts'
import type { Collection, Variant } from '../model/service/service.ts'

/** Columns of history entries that are hidden at first: the page of an entry shows them better. */
const hiddenInHistory = ['noun', 'linked', 'before', 'after', 'request', 'transaction']

export interface HiddenColumns {
  readonly names: ReadonlySet<string>
  toggle(name: string): void
  /** Shows all columns. */
  showAll(): void
}

export function useHiddenColumns(collection: Collection, { path }: Variant): HiddenColumns {
  const key = `console.columns ${collection.api.base}${path}`
  const defaults = isHistory(collection) ? hiddenInHistory : []
  const [state, setState] = useState(() => ({ key, names: storedNames(key, defaults) }))
  const names = state.key === key ? state.names : storedNames(key, defaults)
  const set = (next: ReadonlySet<string>) => {
    storeNames(key, next, defaults)
    setState({ key, names: next })
  }
  return {
    names,
    toggle: (name) => set(names.has(name) ? names.difference(new Set([name])) : names.union(new Set([name]))),
    showAll: () => set(new Set()),
  }
}

function storedNames(key: string, defaults: readonly string[]): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return new Set(Array.isArray(names) ? names.map(String) : defaults)
  } catch {
    return new Set(defaults)
  }
}

/** Without storage the choice lasts until the page is closed. */
function storeNames(key: string, names: ReadonlySet<string>, defaults: readonly string[]): void {
  try {
    if (names.size === 0 && defaults.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify([...names]))
  } catch {}
}
