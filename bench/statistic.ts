/** Medians and ratios over rounds. */

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (valueAt(sorted, Math.ceil(middle) - 1) + valueAt(sorted, Math.floor(middle))) / 2
  return { median, least: valueAt(sorted, 0), most: valueAt(sorted, sorted.length - 1) }
}

/** The ratio of two contenders by round, because a busy machine slows both in the same round. */
export function ratio(values: readonly number[], reference: readonly number[]): Spread {
  return spread(values.map((value, round) => value / valueAt(reference, round)))
}

function valueAt(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN
}
