/** Idempotency keys of a form: a retry after a lost response has the same key, so the request is done once. */
import { useRef } from 'react'
import { randomKey } from './random-key.ts'

export interface IdempotencyKey {
  /** The key of a request; the same request has the same key. */
  of(request: unknown): string
  /** Ends the request: the next one has a new key, even with the same values. */
  forget(): void
}

export function useIdempotencyKey(): IdempotencyKey {
  const last = useRef<{ readonly text: string; readonly key: string }>(undefined)
  return {
    of: (request) => {
      const text = JSON.stringify(request) ?? ''
      if (last.current?.text !== text) last.current = { text, key: randomKey() }
      return last.current.key
    },
    forget: () => {
      last.current = undefined
    },
  }
}
