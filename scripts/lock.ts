/**
 * Completes the lock files. If a registry lacks the binary of a platform, npm omits its entry, and `npm ci` then rejects the
 * file on every machine. This script adds the missing entries from the dependencies of their parents, with the digests that
 * the registry has. Run it again with a registry that has other packages.
 */
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Lock = { packages: Record<string, LockEntry> }
type LockEntry = {
  version?: string
  dev?: boolean
  peer?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  integrity?: string
  link?: boolean
  inBundle?: boolean
  optionalDependencies?: Record<string, string>
  [other: string]: unknown
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']
const libraries: Record<string, string> = {
  glibc: 'glibc',
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
}

/** The entries of exact optional dependencies that are missing from the lock file, by their path in the tree. */
export function missingEntries(lock: Lock): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {}
  for (const [path, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (/^\d/.test(version) && !isLocked(lock, path, name)) {
        missing[siblingPath(path, name)] = platformEntry(name, version, parent)
      }
    }
  }
  return missing
}

/** The lock file with the missing entries, in the order of npm. */
export function completeLock(lock: Lock): Lock {
  const entries = Object.entries({ ...lock.packages, ...missingEntries(lock) })
  return { ...lock, packages: Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en'))) }
}

/** The name and version of each registry package without a digest. */
export function withoutDigest(lock: Lock): ReadonlyMap<string, string> {
  const entries = Object.entries(lock.packages).filter(
    ([path, { integrity, link, inBundle }]) =>
      path.includes('node_modules/') && integrity === undefined && !link && !inBundle,
  )
  return new Map(entries.map(([path, { version }]) => [path, `${path.slice(nameStart(path))}@${version}`]))
}

/** The lock file with all available digests. Requests each package once. */
export async function addDigests(
  lock: Lock,
  digestOf: (name: string) => Promise<string | undefined>,
  concurrency = 4,
): Promise<Lock> {
  const names = withoutDigest(lock)
  const digests = new Map<string, string | undefined>()
  const pendingNames = [...new Set(names.values())]
  const work = async () => {
    for (let name = pendingNames.pop(); name !== undefined; name = pendingNames.pop())
      digests.set(name, await digestOf(name))
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const packages = { ...lock.packages }
  for (const [path, name] of names) {
    const integrity = digests.get(name)
    const { version, ...otherProperties } = packages[path] ?? {}
    if (integrity !== undefined && version !== undefined) packages[path] = { version, integrity, ...otherProperties }
  }
  return { ...lock, packages }
}

function nameStart(path: string): number {
  return path.lastIndexOf('node_modules/') + 'node_modules/'.length
}

/** The digest in the configured registry; undefined if the registry does not have the package. */
async function registryDigest(name: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', name, 'dist.integrity', '--json'])
    const digest: unknown = JSON.parse(stdout)
    return typeof digest === 'string' && digest.startsWith('sha512-') ? digest : undefined
  } catch (error) {
    if (`${(error as { stdout?: unknown }).stdout}`.includes('E404')) return undefined
    throw error
  }
}

function isLocked(lock: Lock, path: string, name: string): boolean {
  // Like the resolution of Node: below the parent, then in every node_modules above it.
  for (
    let parentPath = path;
    ;
    parentPath = parentPath.slice(0, Math.max(parentPath.lastIndexOf('/node_modules/'), 0))
  ) {
    if (lock.packages[parentPath === '' ? `node_modules/${name}` : `${parentPath}/node_modules/${name}`]) return true
    if (parentPath === '') return false
  }
}

function siblingPath(path: string, name: string): string {
  return `${path.slice(0, path.lastIndexOf('node_modules/'))}node_modules/${name}`
}

function platformEntry(name: string, version: string, parent: LockEntry): LockEntry {
  const nameParts = name.split(/[/-]/)
  const os = nameParts.filter((part) => systems.includes(part))
  const cpu = nameParts.filter((part) => processors.includes(part))
  const libc = nameParts.flatMap((part) => libraries[part] ?? [])
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(parent.dev && { dev: true }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(parent.peer && { peer: true }),
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const exclude = ['**/{node_modules,dist}/**']
  for (const file of globSync('**/package-lock.json', { cwd: root, exclude })) {
    const lock: Lock = JSON.parse(readFileSync(join(root, file), 'utf8'))
    const count = Object.keys(missingEntries(lock)).length
    const complete = await addDigests(completeLock(lock), registryDigest)
    const text = `${JSON.stringify(complete, null, 2)}\n`
    if (text !== `${JSON.stringify(lock, null, 2)}\n`) writeFileSync(join(root, file), text)
    console.log(count > 0 ? `${file}: ${count} entries added` : `${file} is complete`)
    const missing = [...new Set(withoutDigest(complete).values())]
    if (missing.length > 0)
      console.log(`  no digest, because the registry does not have these packages:\n    ${missing.join('\n    ')}`)
  }
}
