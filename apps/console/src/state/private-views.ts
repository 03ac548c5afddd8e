/** Private saved views and favorite records, kept in this browser. */

import { useSyncExternalStore } from 'react'
import { randomKey } from '../http/random-key.ts'
import { Listeners } from '../listeners.ts'
import { listKey, type SavedView } from '../model/list/saved-view.ts'
import type { Collection } from '../model/service/service.ts'
import { readPreference, writePreference } from './preference.ts'

class PrivateViews {
  readonly #key: string
  #views: readonly SavedView[]
  readonly #listeners = new Listeners()

  constructor(key: string) {
    this.#key = key
    this.#views = readPreference<readonly SavedView[]>(key, [])
    // Another tab has changed them.
    addEventListener('storage', (event) => {
      if (event.key !== null && !event.key.endsWith(key)) return
      this.#views = readPreference<readonly SavedView[]>(key, [])
      this.#listeners.notify()
    })
  }

  readonly subscribe = this.#listeners.subscribe

  readonly all = (): readonly SavedView[] => this.#views

  add(list: Collection, name: string, address: string): SavedView {
    const view = { id: randomKey().slice(0, 8), name, list: listKey(list), address }
    this.store([...this.#views, view])
    return view
  }

  change(id: string, values: Partial<Pick<SavedView, 'name' | 'address'>>): void {
    this.store(this.#views.map((view) => (view.id === id ? { ...view, ...values } : view)))
  }

  remove(id: string): void {
    this.store(this.#views.filter((view) => view.id !== id))
  }

  store(views: readonly SavedView[]): void {
    this.#views = views
    writePreference(this.#key, views.length === 0 ? undefined : views)
    this.#listeners.notify()
  }
}

export const privateViews = new PrivateViews('views')

/** The address of a favorite is the path of its record. */
export const favorites = new PrivateViews('favorites')

export function usePrivateViews(views: PrivateViews): readonly SavedView[] {
  return useSyncExternalStore(views.subscribe, views.all)
}
