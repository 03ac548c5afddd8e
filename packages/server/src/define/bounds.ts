/** Bounds: what a custom filter wants of a number, a date or a timestamp. */

/** Values from one on, or before one, or both. */
export class Bounds<out V> {
  readonly from: V | undefined
  readonly to: V | undefined

  constructor(from: V | undefined, to: V | undefined) {
    this.from = from
    this.to = to
  }
}

/**
 * In a custom filter: this value of a number, a date or a timestamp, or a higher one.
 *
 * ```ts
 * filter(task, urgent, () => ({ priority: atLeast(3) }))
 * ```
 */
export function atLeast<const V>(value: V): Bounds<V> {
  return new Bounds<V>(value, undefined)
}

/**
 * In a custom filter: a lower value of a number, a date or a timestamp than this.
 *
 * ```ts
 * filter(task, overdue, () => ({ due: before(new Date().toISOString()) }))
 * ```
 */
export function before<const V>(value: V): Bounds<V> {
  return new Bounds<V>(undefined, value)
}

/**
 * In a custom filter: values from one on and before another.
 *
 * ```ts
 * filter(task, dueIn, (year) => ({ due: between(`${year}-01-01`, `${year + 1}-01-01`) }))
 * ```
 */
export function between<const V>(from: V, to: V): Bounds<V> {
  return new Bounds<V>(from, to)
}
