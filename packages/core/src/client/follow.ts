/** Follows changes over server-sent events, and connects again after an interruption. */

import type { OpenStream } from './connection.ts'
import type { AnyCallOptions } from './option.ts'
import { type Failure, pause, retryDelayMs } from './retry.ts'

/** The service sends an event at least every 15 seconds. */
const maxSilenceMs = 45_000

/** After this number of failures, the backoff stays the same. */
const maxDoublings = 7

/** A stream that is open for this long has not failed. */
const stableMs = 10_000

/** A stream that ended: the client reconnects. */
const interrupted: Failure = { error: new Error('The stream ended.'), isTransient: true, mayHaveRun: false }

/** Iterates over the data of events, until `end`. It fails only if the call is aborted or the service rejects it. */
export async function* followEvents(
  open: OpenStream,
  path: string,
  call: AnyCallOptions = {},
  end: AbortSignal,
): AsyncGenerator<unknown> {
  const signal = call.signal ? AbortSignal.any([call.signal, end]) : end
  try {
    yield* streamedEvents(open, path, { ...call, signal })
  } catch (error) {
    if (!end.aborted) throw error
  }
}

/** Iterates over the data of all streams, the next one after the last event of the one before. */
async function* streamedEvents(
  open: OpenStream,
  path: string,
  call: AnyCallOptions & { readonly signal: AbortSignal },
): AsyncGenerator<unknown> {
  const { signal } = call
  let lastEventId: string | undefined
  for (let failures = 0; ; failures = Math.min(failures + 1, maxDoublings)) {
    const silenceAbort = new AbortController()
    const attempt = await open(path, call, lastEventId, silenceAbort.signal)
    const openedAt = Date.now()
    let failure = interrupted
    let reconnectMs = 0
    if ('error' in attempt) failure = attempt
    else {
      try {
        for await (const { id, data, retry } of eventsOf(attempt, silenceAbort)) {
          // The first event has no data and does not count: if the service fails after it, the client must wait before it reconnects.
          if (data !== undefined || Date.now() - openedAt > stableMs) failures = 0
          lastEventId = id ?? lastEventId
          reconnectMs = Number(retry ?? 0)
          if (data !== undefined) yield JSON.parse(data)
        }
      } catch (error) {
        if (!isInterruption(error, silenceAbort.signal) || signal.aborted) throw error
      }
    }
    signal.throwIfAborted()
    const waitMs = retryDelayMs(failure, failures)
    if (waitMs === undefined) throw failure.error
    await pause(Math.max(waitMs, reconnectMs), signal)
  }
}

function isInterruption(error: unknown, silenceAbort: AbortSignal): boolean {
  return silenceAbort.aborted || (error as Error).name === 'TypeError'
}

interface ServerEvent {
  readonly id: string | undefined
  readonly data: string | undefined
  /** How long to wait before the next connection, in milliseconds. The value of the last event applies. */
  readonly retry: string | undefined
}

/** Reads events. They end in an empty line. */
async function* eventsOf({ body }: Response, silenceAbort: AbortController): AsyncGenerator<ServerEvent> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const timer = setTimeout(() => silenceAbort.abort(new Error('The stream was silent for too long.')), maxSilenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      text += decoder.decode(value, { stream: true })
      const events = text.split(/\r?\n\r?\n/)
      text = events.pop() ?? ''
      for (const event of events)
        yield { id: fieldOf(event, 'id'), data: fieldOf(event, 'data'), retry: fieldOf(event, 'retry') }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The value of a field. The events of the service have each field once. */
function fieldOf(event: string, field: string): string | undefined {
  // In a regular expression, `.` stops at U+2028 and U+2029. JSON may contain both.
  const line = event.split(/\r?\n/).find((text) => text.startsWith(`${field}:`))
  return line?.slice(field.length + 1).replace(/^ /, '')
}
