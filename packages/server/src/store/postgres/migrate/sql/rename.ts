/** Orders renames so that no name is in use when it is assigned. */

/** Old name, new name. */
export type Rename = readonly [string, string]

/** The renames that change a name, each when its new name is free: c was b, and b was a. */
export function orderRenames(renames: readonly Rename[]): readonly Rename[] {
  const remaining = renames.filter(([from, to]) => from !== to)
  const ordered: Rename[] = []
  while (remaining.length > 0) {
    const free = remaining.findIndex(([, to]) => !remaining.some(([from]) => from === to))
    if (free === -1) throw new Error(`Names cannot be swapped: ${remaining.map(([from]) => from).join(', ')}.`)
    ordered.push(...remaining.splice(free, 1))
  }
  return ordered
}
