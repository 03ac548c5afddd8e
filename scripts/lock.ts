/**
 * Completes the lock files. A registry that does not carry some platform's binary makes npm leave its entry out, and
 * `npm ci` then refuses the file on every machine. The missing entries are written from what their parents ask for, and get
 * the digests that the registry has for them. Run it again where a registry has what another did not carry.
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
const libraries: Record<string, string> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/** The entries that an exact optional dependency asks for and the lock file does not have, by their place in the tree. */
export function missingEntries(lock: Lock): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {}
  for (const [place, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (/^\d/.test(version) && !isLocked(lock, place, name)) {
        missing[beside(place, name)] = platformEntry(name, version, parent)
      }
    }
  }
  return missing
}

/** The lock file with the missing entries, in npm's own order. */
export function completeLock(lock: Lock): Lock {
  const entries = Object.entries({ ...lock.packages, ...missingEntries(lock) })
  return { ...lock, packages: Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en'))) }
}

/** What is installed from a registry and could be any file: the name and version of each entry without a digest. */
export function withoutDigest(lock: Lock): ReadonlyMap<string, string> {
  const found = Object.entries(lock.packages).filter(
    ([place, { integrity, link, inBundle }]) =>
      place.includes('node_modules/') && integrity === undefined && !link && !inBundle,
  )
  return new Map(found.map(([place, { version }]) => [place, `${place.slice(nameStart(place))}@${version}`]))
}

/** The lock file with the digests that can be found; each package is asked for once. */
export async function addDigests(
  lock: Lock,
  digestOf: (name: string) => Promise<string | undefined>,
  atOnce = 4,
): Promise<Lock> {
  const places = withoutDigest(lock)
  const digests = new Map<string, string | undefined>()
  const waiting = [...new Set(places.values())]
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) digests.set(name, await digestOf(name))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const packages = { ...lock.packages }
  for (const [place, name] of places) {
    const integrity = digests.get(name)
    const { version, ...rest } = packages[place] ?? {}
    if (integrity !== undefined && version !== undefined) packages[place] = { version, integrity, ...rest }
  }
  return { ...lock, packages }
}

function nameStart(place: string): number {
  return place.lastIndexOf('node_modules/') + 'node_modules/'.length
}

/** As npm itself asks for it, at whatever registry it is set to. Undefined where that one does not carry it. */
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

function isLocked(lock: Lock, place: string, name: string): boolean {
  // node's own way up: below the parent, then in every node_modules above it
  for (let at = place; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (lock.packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true
    if (at === '') return false
  }
}

function beside(place: string, name: string): string {
  return `${place.slice(0, place.lastIndexOf('node_modules/'))}node_modules/${name}`
}

function platformEntry(name: string, version: string, parent: LockEntry): LockEntry {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  const libc = words.flatMap((word) => libraries[word] ?? [])
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
  for (const file of globSync(['package-lock.json', 'bench/peers/*/package-lock.json'], { cwd: root })) {
    const lock: Lock = JSON.parse(readFileSync(join(root, file), 'utf8'))
    const count = Object.keys(missingEntries(lock)).length
    const complete = await addDigests(completeLock(lock), registryDigest)
    const text = `${JSON.stringify(complete, null, 2)}\n`
    if (text !== `${JSON.stringify(lock, null, 2)}\n`) writeFileSync(join(root, file), text)
    console.log(count > 0 ? `${file}: ${count} entries added` : `${file} is complete`)
    const rest = [...new Set(withoutDigest(complete).values())]
    if (rest.length > 0)
      console.log(`  without a digest, as the registry does not carry them:\n    ${rest.join('\n    ')}`)
  }
}
