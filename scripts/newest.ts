/** Decides whether a build is older than its sources. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The time of the last change of any of these files, in milliseconds. The patterns are relative to the folder. */
export function newest(folder: string, patterns: readonly string[]): number {
  const files = globSync([...patterns], { cwd: folder }).map((name) => statSync(join(folder, name)))
  return Math.max(...files.filter((stats) => stats.isFile()).map(({ mtimeMs }) => mtimeMs))
}
