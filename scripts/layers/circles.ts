/** Finds import cycles in a graph of files. */

/** One cycle for every group of files that import each other. The first file is repeated at the end. */
export function findCycles(graph: Map<string, string[]>): string[][] {
  const cycles: string[][] = []
  const reportedFiles = new Set<string>()
  for (const start of [...graph.keys()].sort()) {
    if (reportedFiles.has(start)) continue
    const cycle = shortestCycle(graph, start)
    if (!cycle) continue
    cycles.push(cycle)
    // Other cycles of the same group are reported after this one is fixed.
    for (const file of graph.keys()) {
      if (reaches(graph, start, file) && reaches(graph, file, start)) reportedFiles.add(file)
    }
  }
  return cycles
}

/** The shortest path from a file back to itself. */
function shortestCycle(graph: Map<string, string[]>, start: string): string[] | undefined {
  const paths: string[][] = [[start]]
  const visitedFiles = new Set<string>()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start]
      if (visitedFiles.has(next)) continue
      visitedFiles.add(next)
      paths.push([...path, next])
    }
  }
  return undefined
}

function reaches(graph: Map<string, string[]>, from: string, to: string): boolean {
  const queue = [from]
  const visitedFiles = new Set(queue)
  for (const file of queue) {
    if (file === to) return true
    for (const next of graph.get(file) ?? []) {
      if (!visitedFiles.has(next)) queue.push(next)
      visitedFiles.add(next)
    }
  }
  return false
}
