/** Suggests the import that Node can resolve. */
import { existsSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compilers accept './other' and './other.js' for other.ts; Node needs the actual file name. */
export function importFix(error: unknown): string | undefined {
  if (!(error instanceof Error && 'url' in error && typeof error.url === 'string')) return undefined
  const importer = /imported from (.+)$/.exec(error.message)?.[1]
  if (importer === undefined || !error.url.startsWith('file:')) return undefined
  const path = fileURLToPath(error.url)
  const candidates = [path.replace(/\.([cm]?)jsx?$/, '.$1ts'), `${path}.ts`, `${path}${sep}index.ts`, `${path}.js`]
  const file = candidates.find((candidate) => candidate !== path && existsSync(candidate))
  if (file === undefined) return undefined
  const name = relative(dirname(importer), file).replaceAll(sep, '/')
  return `Write '${name.startsWith('.') ? name : `./${name}`}' in ${relative('.', importer)}: Node needs the actual file name.`
}
