/** Range conditions on numbers, dates and timestamps. */

/** A range that includes `from` and excludes `to`; undefined means unbounded. */
export class Bounds<out V> {
  readonly from: V | undefined
  readonly to: V | undefined

  constructor(from: V | undefined, to: V | undefined) {
    this.from = from
    this.to = to
  }
}

/**
 * A range condition on a number, a date or a timestamp: this value or greater (`>=`).
 *
 * @example
 * ```ts
 * filter(task, urgent, () => ({ priority: atLeast(3) }))
 * ```
 */
export function atLeast<const V>(value: V): Bounds<V> {
  return new Bounds<V>(value, undefined)
}

/**
 * A range condition on a number, a date or a timestamp: less than this value (`<`).
 *
 * @example
 * ```ts
 * filter(task, overdue, () => ({ due: before(new Date().toISOString()) }))
 * ```
 */
export function before<const V>(value: V): Bounds<V> {
  return new Bounds<V>(undefined, value)
}

/**
 * A range condition on a number, a date or a timestamp: `from` or greater, and less than `to`.
 *
 * @example
 * ```ts
 * filter(task, dueIn, (year) => ({ due: between(`${year}-01-01`, `${year + 1}-01-01`) }))
 * ```
 */
export function between<const V>(from: V, to: V): Bounds<V> {
  return new Bounds<V>(from, to)
}
