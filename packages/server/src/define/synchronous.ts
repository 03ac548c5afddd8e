/** Checks of functions that must be synchronous, because the request does not wait for a promise. */
import { type AnyNoun, DeclarationError } from '@nomen/core'

/** Rejects an `async` function that returns a condition, at start. `declaredBy` is `visible` or `filter`. */
export function rejectAsync({ name }: AnyNoun, declaredBy: string, run: unknown): void {
  if (!isAsync(run)) return
  throw new DeclarationError(
    `noun "${name}"`,
    `the function of ${declaredBy}() must not be async.`,
    'return a condition. It can use other records: nested conditions, linked() and referencedBy().',
  )
}

export function isAsync(run: unknown): boolean {
  return run instanceof AsyncFunction
}

const AsyncFunction = (async () => undefined).constructor as new () => unknown

/** Whether a result is or contains a promise. Catches its rejection, because nothing else awaits the promise. */
export function hasPromise(result: unknown, depth = 5): boolean {
  if (typeof result !== 'object' || result === null) return false
  if ('then' in result && typeof result.then === 'function') {
    Promise.resolve(result).catch(() => undefined)
    return true
  }
  const isPlain = Array.isArray(result) || Object.getPrototypeOf(result) === Object.prototype
  return isPlain && depth > 0 && Object.values(result).filter((value) => hasPromise(value, depth - 1)).length > 0
}
