/** The columns of a list that someone does not want to see, kept in the browser: what is new in a list is shown. */
import { useState } from 'react'
import type { Collection, Variant } from '../model/service/service.ts'

export interface HiddenColumns {
  readonly names: ReadonlySet<string>
  toggle(name: string): void
  /** Back to all of them. */
  showAll(): void
}

export function useHiddenColumns({ api }: Collection, { path }: Variant): HiddenColumns {
  const key = `console.columns ${api.base}${path}`
  const [state, setState] = useState(() => ({ key, names: kept(key) }))
  const names = state.key === key ? state.names : kept(key)
  const set = (next: ReadonlySet<string>) => {
    keep(key, next)
    setState({ key, names: next })
  }
  return {
    names,
    toggle: (name) => set(names.has(name) ? names.difference(new Set([name])) : names.union(new Set([name]))),
    showAll: () => set(new Set()),
  }
}

function kept(key: string): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(names) ? names.map(String) : [])
  } catch {
    return new Set()
  }
}

/** A browser that keeps nothing for this page shows the choice until the page is left. */
function keep(key: string, names: ReadonlySet<string>): void {
  try {
    if (names.size === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify([...names]))
  } catch {}
}
