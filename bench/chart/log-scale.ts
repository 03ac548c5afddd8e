/** A scale on which every step is ten times the one before. */

export interface LogScale {
  /** Where a value lies, in pixels. */
  at(value: number): number
  /** The powers of ten from one end to the other. */
  readonly ticks: readonly number[]
}

/**
 * Covers all values, from the power of ten below the least to the one above the most, or to the most itself where it is
 * to be tight. All must be above 0.
 */
export function logScale(
  values: readonly number[],
  [start, end]: readonly [number, number],
  { isTight = false } = {},
): LogScale {
  const wrong = values.find((value) => !(value > 0 && Number.isFinite(value)))
  if (values.length === 0 || wrong !== undefined) throw new Error(`No scale can show ${wrong ?? 'nothing'}.`)
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values)) - 1e-9), low + 1)
  const last = isTight ? Math.log10(Math.max(...values)) : high
  return {
    at: (value) => start + ((Math.log10(value) - low) / (last - low)) * (end - start),
    ticks: Array.from({ length: Math.floor(last + 1e-9) - low + 1 }, (_, index) => Number(`1e${low + index}`)),
  }
}
