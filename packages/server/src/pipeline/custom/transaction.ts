/** Transactions of handlers: several calls whose writes commit together or not at all. */

import type { RunTransaction } from '../../define/handle.ts'
import type { RecordStore } from '../../store/store.ts'
import { readerOf } from '../read-after.ts'
import type { RequestTrace } from '../request-trace.ts'
import type { CallingRequest, OpenCalls, RequestCalls } from './in-process-calls.ts'

/** The time limit of a transaction if the handler sets none, and the longest that it may set. */
const defaultLimitMs = 5000
const maxLimitMs = 60_000

/** The in-process calls of one request: single calls, and transactions of several. */
export function callsWithTransaction(
  origin: CallingRequest,
  open: OpenCalls,
  store: RecordStore,
): RequestCalls & { readonly transaction: RunTransaction } {
  const { raw, caller } = origin
  let isOpen = false
  const calls = open({
    ...origin,
    // A single call would wait for the open transaction, and the transaction for the call.
    assertCallable: () => {
      if (isOpen) throw new Error(outsideCallMessage)
    },
  })
  const transaction: RunTransaction = async (work, { limit = defaultLimitMs } = {}) => {
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimitMs)
      throw new Error(
        `The limit of a transaction must be an integer from 1 to ${maxLimitMs}, in milliseconds, not ${limit}.`,
      )
    if (isOpen || raw.transaction) throw new Error(nestedMessage)
    isOpen = true
    try {
      const reader = store.hasReplicas ? readerOf(raw, caller) : undefined
      const run = (trace: RequestTrace | undefined) =>
        store.transaction(
          async (newTransaction) => work(open({ ...origin, raw: { ...raw, trace, transaction: newTransaction } }).call),
          {
            limitMs: limit,
            reader,
          },
        )
      const { result, position } = await (raw.trace ? raw.trace.transaction(run) : run(undefined))
      if (position !== undefined) calls.setPosition(position)
      return result
    } finally {
      isOpen = false
    }
  }
  return { ...calls, transaction }
}

const outsideCallMessage =
  'The handler used its own call() while a transaction was open. Nothing was done. Use the call that the transaction passes: transaction(async (call) => …).'

const nestedMessage =
  'The handler opened a transaction inside another one. Nothing was done. Make all calls in one transaction; operations that it calls are part of it.'
