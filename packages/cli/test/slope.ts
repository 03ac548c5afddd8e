/** Whether figures go up: by the median of all slopes between two of them, which a few odd ones do not move. */

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** By how much equally distant figures grow from the first to the last: the estimator of Theil and Sen. */
export function growth(figures: readonly number[]): number {
  const slopes: number[] = []
  for (const [at, one] of figures.entries())
    for (let other = at + 1; other < figures.length; other++)
      slopes.push(((figures[other] as number) - one) / (other - at))
  return slopes.length === 0 ? 0 : median(slopes) * (figures.length - 1)
}
