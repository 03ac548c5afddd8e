/** A logarithmic scale. */

export interface LogScale {
  /** The position of a value, in pixels. */
  positionOf(value: number): number
  /** The powers of ten from one end to the other. */
  readonly ticks: readonly number[]
}

/**
 * Covers all values, from the power of ten below the minimum to the one above the maximum, or to the maximum itself if it
 * is tight. All values must be above 0.
 */
export function logScale(
  values: readonly number[],
  [start, end]: readonly [number, number],
  { isTight = false } = {},
): LogScale {
  const invalid = values.find((value) => !(value > 0 && Number.isFinite(value)))
  if (values.length === 0 || invalid !== undefined) throw new Error(`No scale can show ${invalid ?? 'nothing'}.`)
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values)) - 1e-9), low + 1)
  const last = isTight ? Math.log10(Math.max(...values)) : high
  return {
    positionOf: (value) => start + ((Math.log10(value) - low) / (last - low)) * (end - start),
    ticks: Array.from({ length: Math.floor(last + 1e-9) - low + 1 }, (_, index) => Number(`1e${low + index}`)),
  }
}
