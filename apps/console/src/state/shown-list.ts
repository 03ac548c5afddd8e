/** The list of the page, which the drawer steps through. */

import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '../listeners.ts'
import type { Collection, Variant } from '../model/service/service.ts'

export interface ShownList {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  /** The query of the request for a URL. */
  requestQuery(query: URLSearchParams): URLSearchParams
}

let current: ShownList | undefined
const listeners = new Listeners()

function show(list: ShownList | undefined): void {
  current = list
  listeners.notify()
}

/** Makes a list the list of the page, as long as it is shown. */
export function useAsShownList(list: ShownList): void {
  useEffect(() => {
    show(list)
    return () => show(undefined)
  }, [list])
}

/** Undefined if the page has no list. */
export function useShownList(): ShownList | undefined {
  return useSyncExternalStore(listeners.subscribe, () => current)
}
