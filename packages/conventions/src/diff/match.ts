/** Finds for every operation of the old document what has become of it, and what is new. */
import type { Operation } from './operation.ts'

export interface Matching {
  /** Served as before, under the same version. */
  readonly kept: readonly (readonly [Operation, Operation])[]
  /** Served under a higher version only; the lowest one there is. */
  readonly raised: readonly (readonly [Operation, Operation])[]
  readonly removed: readonly Operation[]
  readonly added: readonly Operation[]
}

export function match(old: readonly Operation[], next: readonly Operation[]): Matching {
  const kept: (readonly [Operation, Operation])[] = []
  const raised: (readonly [Operation, Operation])[] = []
  const removed: Operation[] = []
  const free = new Set(next)
  const waiting = new Set(old)
  const pair = (nameOf: (operation: Operation) => string) => {
    const byName = Map.groupBy(free, nameOf)
    for (const one of waiting) {
      const other = byName.get(nameOf(one))?.shift()
      if (!other) continue
      kept.push([one, other])
      waiting.delete(one)
      free.delete(other)
    }
  }
  pair(({ method, path, version }) => `${method} ${path} ${version}`)
  // A path parameter may be called otherwise, and a version may move between the path and the address of the server.
  pair(({ key, version }) => `${key} ${version}`)
  for (const one of waiting) {
    const higher = next.filter(({ key, version }) => key === one.key && version > one.version)
    const [lowest] = higher.sort((a, b) => a.version - b.version)
    if (lowest) raised.push([one, lowest])
    else removed.push(one)
  }
  const targets = new Set(raised.map(([, target]) => target))
  return { kept, raised, removed, added: [...free].filter((one) => !targets.has(one)) }
}
