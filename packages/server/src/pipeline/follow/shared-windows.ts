/** Shares reads among streams: those of callers who see the same entries read each of them once. */
import type { Operation } from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import type { ListPlan } from '../../store/plan.ts'

/** How long a result is shared, and how many results are. Afterwards, visibility may have changed. */
const sharedMs = 500
const maxShared = 200

export class SharedWindows<Window> {
  #windows = new LruCache<Promise<Window>>(maxShared)
  #since = 0

  /** `view` names what the caller may see, apart from the plan. */
  read(plan: ListPlan, range: readonly [afterId: number, settled: number], view: string, read: () => Promise<Window>) {
    const now = performance.now()
    if (now - this.#since > sharedMs) {
      this.#since = now
      this.#windows = new LruCache(maxShared)
    }
    return this.#windows.get(`${range.join(' ')} ${view} ${planKey(plan)}`, read)
  }
}

/** The operation, the path and the conditions of a plan as text. */
function planKey({ operation, ancestors, conditions, rowFilter }: ListPlan): string {
  return `${keyOf(operation)} ${JSON.stringify([ancestors, conditions, rowFilter ?? null], named)}`
}

function keyOf({ api, method, path, hidden = [] }: Operation): string {
  return `${api} ${method} ${path} ${hidden.join()}`
}

/** Nouns and links have unique names. */
function named(key: string, value: unknown): unknown {
  return key === 'noun' || key === 'link' ? ((value as { readonly name?: string } | undefined)?.name ?? value) : value
}
