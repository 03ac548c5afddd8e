/** Several calls of a handler as one: all that they write is done, or nothing of it. */

import type { Together } from '../../define/handle.ts'
import type { Store } from '../../store/plan.ts'
import { readerOf } from '../read-after.ts'
import type { RequestWatch } from '../request-trace.ts'
import type { Calls, Origin, Within } from './in-process.ts'

/** How long it may take unless a handler says otherwise, and how long at most, in milliseconds. */
const usualLimit = 5000
const longest = 60_000

/** What is called on behalf of a request, each call for itself or several as one. */
export function togetherIn(origin: Origin, open: Calls, store: Store): Within & { readonly together: Together } {
  const { raw, caller } = origin
  let isUnderWay = false
  const within = open({
    ...origin,
    // It would wait for the end of that, and that for it.
    refuse: () => {
      if (isUnderWay) throw new Error(outside)
    },
  })
  const together: Together = async (work, { limit = usualLimit } = {}) => {
    if (!Number.isInteger(limit) || limit < 1 || limit > longest)
      throw new Error(`The limit of a together is ${limit}. Give it in milliseconds, from 1 to ${longest}.`)
    if (isUnderWay || raw.transaction) throw new Error(nested)
    isUnderWay = true
    try {
      const reader = store.hasCopies ? readerOf(raw, caller) : undefined
      const run = (watch: RequestWatch | undefined) =>
        store.together(async (transaction) => work(open({ ...origin, raw: { ...raw, watch, transaction } }).call), {
          limit,
          reader,
        })
      const { result, mark } = await (raw.watch ? raw.watch.together(run) : run(undefined))
      if (mark !== undefined) within.note(mark)
      return result
    } finally {
      isUnderWay = false
    }
  }
  return { ...within, together }
}

const outside =
  'This was called by the call of the handler while its together is under way, and is not done. Use the call that together gives: together(async (call) => …).'

const nested =
  'A together was called within another one, and nothing of it is done. What belongs together is called by the call of one together; an operation that is called by it is part of it already.'
