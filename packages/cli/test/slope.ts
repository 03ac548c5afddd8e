/** Detects growth by the median of all slopes between two values, which ignores outliers. */

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The growth from the first to the last of equally spaced values: the Theil–Sen estimator. */
export function growth(figures: readonly number[]): number {
  const slopes: number[] = []
  for (const [index, first] of figures.entries())
    for (let next = index + 1; next < figures.length; next++)
      slopes.push(((figures[next] as number) - first) / (next - index))
  return slopes.length === 0 ? 0 : median(slopes) * (figures.length - 1)
}
