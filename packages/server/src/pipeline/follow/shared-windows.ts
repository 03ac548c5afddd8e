/** Caches reads for streams: callers who see the same entries share one read. */
import type { Operation } from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import type { ListPlan } from '../../store/plan.ts'

/** The lifetime and the number of cached results. Visibility may change after that. */
const lifetimeMs = 500
const maxWindows = 200

export class SharedWindows<Window> {
  #windows: LruCache<Promise<Window>> | undefined

  /** `view` names what the caller may see, apart from the plan. */
  read(plan: ListPlan, range: readonly [afterId: number, settled: number], view: string, read: () => Promise<Window>) {
    if (!this.#windows) {
      this.#windows = new LruCache(maxWindows)
      setTimeout(() => {
        this.#windows = undefined
      }, lifetimeMs).unref()
    }
    return this.#windows.get(`${range.join(' ')} ${view} ${planKey(plan)}`, read)
  }
}

/** The operation, the path and the conditions of a plan as a string. */
function planKey({ operation, ancestors, conditions, rowFilter, unlabelled }: ListPlan): string {
  return `${operationKey(operation)} ${JSON.stringify([ancestors, conditions, rowFilter ?? null, unlabelled ?? null], replaceWithName)}`
}

function operationKey({ api, method, path, hidden = [] }: Operation): string {
  return `${api} ${method} ${path} ${hidden.join()}`
}

/** Nouns and links have unique names. */
function replaceWithName(key: string, value: unknown): unknown {
  return key === 'noun' || key === 'link' ? ((value as { readonly name?: string } | undefined)?.name ?? value) : value
}
