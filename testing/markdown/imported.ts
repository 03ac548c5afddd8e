/** Which files of a page another one is made of. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whether a file is another one, or imported by it on whatever way. */
export function isImported(name: string, by: string, folder: string, seen = new Set<string>()): boolean {
  if (name === by) return true
  if (seen.has(by)) return false
  seen.add(by)
  const imports = (readText(join(folder, by)) ?? '').matchAll(/from '(\.[^']+)'/g)
  return imports.some(([, path = '']) => isImported(name, join(dirname(by), path), folder, seen))
}

/** Nothing where there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
