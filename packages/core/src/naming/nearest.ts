/** Finds the name that was probably meant: the "did you mean" of every message. */

/**
 * The nearest of the names, or undefined where none is near. Case does not count as a difference.
 *
 * ```ts
 * nearest('stauts', ['id', 'title', 'status']) // 'status'
 * ```
 */
export function nearest(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase().slice(0, 64)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    const candidate = name.toLowerCase()
    const isAbbreviation = wanted.length >= 3 && candidate.length > wanted.length && candidate.startsWith(wanted)
    const distance = isAbbreviation ? 0.5 : editDistance(wanted, candidate)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, removals, replacements and swaps of neighbours between two words. */
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
