/** Idempotency-Keys of a form: what is sent again after a lost answer has the key of the first time, so that it is done once. */
import { useRef } from 'react'
import { randomKey } from './random-key.ts'

export interface RepeatKey {
  /** The same for the same request. */
  of(request: unknown): string
  /** It is done: the next one is meant to be another. */
  forget(): void
}

export function useRepeatKey(): RepeatKey {
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
