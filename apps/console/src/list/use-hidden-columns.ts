/** The hidden columns of a list, stored in the browser. New columns of the service are shown. */
import { useState } from 'react'
import type { Collection, Variant } from '../model/service/service.ts'

export interface HiddenColumns {
  readonly names: ReadonlySet<string>
  toggle(name: string): void
  /** Shows all columns. */
  showAll(): void
}

export function useHiddenColumns({ api }: Collection, { path }: Variant): HiddenColumns {
  const key = `console.columns ${api.base}${path}`
  const [state, setState] = useState(() => ({ key, names: storedNames(key) }))
  const names = state.key === key ? state.names : storedNames(key)
  const set = (next: ReadonlySet<string>) => {
    storeNames(key, next)
    setState({ key, names: next })
  }
  return {
    names,
    toggle: (name) => set(names.has(name) ? names.difference(new Set([name])) : names.union(new Set([name]))),
    showAll: () => set(new Set()),
  }
}

function storedNames(key: string): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(names) ? names.map(String) : [])
  } catch {
    return new Set()
  }
}

/** Without storage the choice lasts until the page is closed. */
function storeNames(key: string, names: ReadonlySet<string>): void {
  try {
    if (names.size === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify([...names]))
  } catch {}
}
