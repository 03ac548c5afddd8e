/** The disk usage of production dependencies. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Intermediate files of compiled modules, which prebuilt modules do not have. */
const leftovers = /\/build\/(Release\/(obj|\.deps)|deps|[^/]*\.(mk|target\.mk)$|Makefile$)|\/build\/.*\.a$/

/** The disk usage of a folder in MiB. */
export function sizeOfFolder(folder: string, isCounted: (path: string) => boolean = () => true): number {
  return bytesIn(folder, (path) => isCounted(path) && !leftovers.test(`/${relative(folder, path)}`)) / 1024 ** 2
}

function bytesIn(path: string, isCounted: (path: string) => boolean): number {
  const entry = lstatSync(path)
  // A block is 512 bytes on every file system; without a number of blocks, the length is used.
  const ownBytes = (entry.blocks ?? Math.ceil(entry.size / 512)) * 512
  if (!entry.isDirectory()) return ownBytes
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter(isCounted)
    .reduce((sum, inner) => sum + bytesIn(inner, isCounted), ownBytes)
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The size in MiB of a package of this repository with its dependencies, without tests. */
export function sizeOfInstall(folder: string): number {
  const folders = new Set<string>()
  visit(realpathSync(folder), folders)
  let size = 0
  for (const home of folders) {
    size += sizeOfFolder(home, (path) => {
      const part = relative(home, path)
      return part !== 'node_modules' && (home.includes('node_modules') || !/^test$|\.test(-d)?\.ts$/.test(part))
    })
  }
  return size
}

function visit(folder: string, visited: Set<string>): void {
  if (visited.has(folder)) return
  visited.add(folder)
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const dependency = resolvePackage(name, folder)
    if (!dependency) throw new Error(`${folder} depends on ${name}, which is not installed. Run npm ci.`)
    visit(dependency, visited)
  }
  for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
    const dependency = resolvePackage(name, folder)
    if (dependency) visit(dependency, visited)
  }
}

/** Node's resolution: below the package, then in every node_modules above it. */
function resolvePackage(name: string, from: string): string | undefined {
  for (let parentFolder = from; ; parentFolder = dirname(parentFolder)) {
    try {
      return realpathSync(join(parentFolder, 'node_modules', name))
    } catch {
      if (parentFolder === dirname(parentFolder)) return undefined
    }
  }
}
