/** Medians and ratios over rounds. */

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (at(sorted, Math.ceil(middle) - 1) + at(sorted, Math.floor(middle))) / 2
  return { median, least: at(sorted, 0), most: at(sorted, sorted.length - 1) }
}

/** The ratio of two contenders, taken round by round: what slows a whole round on a busy machine slows both. */
export function ratio(of: readonly number[], to: readonly number[]): Spread {
  return spread(of.map((value, round) => value / at(to, round)))
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN
}
