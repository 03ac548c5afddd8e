/** Suggestions for misspelled names ("did you mean"). */

/**
 * Returns the most similar name by edit distance, for a "did you mean" hint; undefined if no name is similar. It ignores case.
 *
 * @example
 * ```ts
 * nearest('stauts', ['id', 'title', 'status']) // 'status'
 * ```
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const requested = name.toLowerCase().slice(0, 64)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(requested.length / 3)) + 1
  for (const existingName of names) {
    const candidate = existingName.toLowerCase()
    const isAbbreviation =
      requested.length >= 3 && candidate.length > requested.length && candidate.startsWith(requested)
    const distance = isAbbreviation ? 0.5 : editDistance(requested, candidate)
    if (distance < bestDistance) {
      best = existingName
      bestDistance = distance
    }
  }
  return best
}

/** The Damerau–Levenshtein distance (optimal string alignment) of two words. */
function editDistance(from: string, to: string): number {
  let rowBeforePrevious: number[] = []
  let previousRow = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const currentRow = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let cost = Math.min(
        costAt(previousRow, column) + 1,
        costAt(currentRow, column - 1) + 1,
        costAt(previousRow, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (isSwap) cost = Math.min(cost, costAt(rowBeforePrevious, column - 2) + 1)
      currentRow.push(cost)
    }
    rowBeforePrevious = previousRow
    previousRow = currentRow
  }
  return costAt(previousRow, to.length)
}

function costAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
