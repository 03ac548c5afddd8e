/** Renames that follow one another without a name ever being taken. */

/** From a name, to a name. */
export type Rename = readonly [string, string]

/** Those that change a name, each when its new one is free: c was b, and b was a. */
export function inOrder(renames: readonly Rename[]): readonly Rename[] {
  const left = renames.filter(([from, to]) => from !== to)
  const ordered: Rename[] = []
  while (left.length > 0) {
    const free = left.findIndex(([, to]) => !left.some(([from]) => from === to))
    if (free === -1) throw new Error(`Names cannot be exchanged: ${left.map(([from]) => from).join(', ')}.`)
    ordered.push(...left.splice(free, 1))
  }
  return ordered
}
