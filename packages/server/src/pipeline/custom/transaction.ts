/** Several calls of a handler as one: all that they write is done, or nothing of it. */

import type { RunTransaction } from '../../define/handle.ts'
import type { RecordStore } from '../../store/store.ts'
import { readerOf } from '../read-after.ts'
import type { RequestTrace } from '../request-trace.ts'
import type { Calls, Origin, Within } from './in-process.ts'

/** How long it may take unless a handler says otherwise, and how long at most, in milliseconds. */
const defaultLimitMs = 5000
const maxLimitMs = 60_000

/** What is called on behalf of a request, each call for itself or several as one. */
export function transactionIn(
  origin: Origin,
  open: Calls,
  store: RecordStore,
): Within & { readonly transaction: RunTransaction } {
  const { raw, caller } = origin
  let isUnderWay = false
  const within = open({
    ...origin,
    // It would wait for the end of that, and that for it.
    refuse: () => {
      if (isUnderWay) throw new Error(outside)
    },
  })
  const transaction: RunTransaction = async (work, { limit = defaultLimitMs } = {}) => {
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimitMs)
      throw new Error(`The limit of a transaction is ${limit}. Give it in milliseconds, from 1 to ${maxLimitMs}.`)
    if (isUnderWay || raw.transaction) throw new Error(nested)
    isUnderWay = true
    try {
      const reader = store.hasReplicas ? readerOf(raw, caller) : undefined
      const run = (watch: RequestTrace | undefined) =>
        store.transaction(
          async (opened) => work(open({ ...origin, raw: { ...raw, watch, transaction: opened } }).call),
          {
            limit,
            reader,
          },
        )
      const { result, position } = await (raw.watch ? raw.watch.transaction(run) : run(undefined))
      if (position !== undefined) within.note(position)
      return result
    } finally {
      isUnderWay = false
    }
  }
  return { ...within, transaction }
}

const outside =
  'The call of the handler was used while a transaction was open, and nothing was done. Use the call that transaction gives: transaction(async (call) => …).'

const nested =
  'A transaction was opened inside another one, and nothing was done. Make all calls in one transaction; an operation that it calls is part of it.'
