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
  for (const known of names) {
    const candidate = known.toLowerCase()
    const isAbbreviation =
      requested.length >= 3 && candidate.length > requested.length && candidate.startsWith(requested)
    const distance = isAbbreviation ? 0.5 : editDistance(requested, candidate)
    if (distance < bestDistance) {
      best = known
      bestDistance = distance
    }
  }
  return best
}

/** The Damerau–Levenshtein distance (optimal string alignment) of two words. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1))
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (isSwap) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
