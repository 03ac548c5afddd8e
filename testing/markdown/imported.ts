/** The imports of the files of a page. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whether a file is the other one, or imported by it, directly or not. */
export function isImported(name: string, importer: string, folder: string, visitedNames = new Set<string>()): boolean {
  if (name === importer) return true
  if (visitedNames.has(importer)) return false
  visitedNames.add(importer)
  const imports = (readText(join(folder, importer)) ?? '').matchAll(/from '(\.[^']+)'/g)
  return imports.some(([, path = '']) => isImported(name, join(dirname(importer), path), folder, visitedNames))
}

/** Undefined if the file does not exist. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
