/** Finds circles in a graph of files. */
/** One circle, its first file repeated at the end, for every group of files that import each other. */
export function circles(graph: Map<string, string[]>): string[][] {
  const found: string[][] = []
  const seen = new Set<string>()
  for (const start of [...graph.keys()].sort()) {
    if (seen.has(start)) continue
    const circle = wayBack(graph, start)
    if (!circle) continue
    found.push(circle)
    // the other circles of the same group come to light when this one is cut
    for (const file of graph.keys()) {
      if (reaches(graph, start, file) && reaches(graph, file, start)) seen.add(file)
    }
  }
  return found
}

/** The shortest way from a file back to itself. */
function wayBack(graph: Map<string, string[]>, start: string): string[] | undefined {
  const ways: string[][] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, start]
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

function reaches(graph: Map<string, string[]>, from: string, to: string): boolean {
  const queue = [from]
  const seen = new Set(queue)
  for (const file of queue) {
    if (file === to) return true
    for (const next of graph.get(file) ?? []) {
      if (!seen.has(next)) queue.push(next)
      seen.add(next)
    }
  }
  return false
}
