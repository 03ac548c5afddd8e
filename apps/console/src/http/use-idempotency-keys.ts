/** Idempotency keys of a form: a retry after a lost response has the same key, so the request is done once. */
import { useRef } from 'react'
import { randomKey } from './random-key.ts'

export interface IdempotencyKeys {
  /** The key of a request; the same request has the same key. */
  keyOf(request: unknown): string
  /** Ends the request: the next one has a new key, even with the same values. */
  reset(): void
}

export function useIdempotencyKeys(): IdempotencyKeys {
  const lastRequest = useRef<{ readonly text: string; readonly key: string }>(undefined)
  return {
    keyOf: (request) => {
      const text = JSON.stringify(request) ?? ''
      if (lastRequest.current?.text !== text) lastRequest.current = { text, key: randomKey() }
      return lastRequest.current.key
    },
    reset: () => {
      lastRequest.current = undefined
    },
  }
}
