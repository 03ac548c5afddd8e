/** How much of the disk the production dependencies take. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** What a compiler leaves beside the module that it made; who downloads the module never has it. */
const leftovers = /\/build\/(Release\/(obj|\.deps)|deps|[^/]*\.(mk|target\.mk)$|Makefile$)|\/build\/.*\.a$/

/** MiB in a folder, as much as its files take of the disk. */
export function sizeOfFolder(folder: string, isCounted: (path: string) => boolean = () => true): number {
  return bytesIn(folder, (path) => isCounted(path) && !leftovers.test(`/${relative(folder, path)}`)) / 1024 ** 2
}

function bytesIn(path: string, isCounted: (path: string) => boolean): number {
  const entry = lstatSync(path)
  // A block is 512 bytes, whatever the file system; where none are told, the length has to do.
  const own = (entry.blocks ?? Math.ceil(entry.size / 512)) * 512
  if (!entry.isDirectory()) return own
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter(isCounted)
    .reduce((sum, inner) => sum + bytesIn(inner, isCounted), own)
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** MiB of a package of this repository and of all that an install of it alone would bring, tests apart. */
export function sizeOfInstall(folder: string): number {
  const found = new Set<string>()
  visit(realpathSync(folder), found)
  let size = 0
  for (const home of found) {
    size += sizeOfFolder(home, (path) => {
      const part = relative(home, path)
      return part !== 'node_modules' && (home.includes('node_modules') || !/^test$|\.test(-d)?\.ts$/.test(part))
    })
  }
  return size
}

function visit(folder: string, found: Set<string>): void {
  if (found.has(folder)) return
  found.add(folder)
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const at = placeOf(name, folder)
    if (!at) throw new Error(`${folder} depends on ${name}, which is not installed. Run npm ci.`)
    visit(at, found)
  }
  for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
    const at = placeOf(name, folder)
    if (at) visit(at, found)
  }
}

/** Node's own way up: below the package, then in every node_modules above it. */
function placeOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    try {
      return realpathSync(join(at, 'node_modules', name))
    } catch {
      if (at === dirname(at)) return undefined
    }
  }
}
