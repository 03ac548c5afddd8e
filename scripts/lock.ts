/**
 * Completes the lock files. A registry that does not carry some platform's binary makes npm leave its entry out, and
 * `npm ci` then refuses the file on every machine. The missing entries are written from what their parents ask for.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Lock = { packages: Record<string, LockEntry> }
type LockEntry = {
  version?: string
  dev?: boolean
  peer?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
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
    if (count > 0) writeFileSync(join(root, file), `${JSON.stringify(completeLock(lock), null, 2)}\n`)
    console.log(count > 0 ? `${file}: ${count} entries added` : `${file} is complete`)
  }
}
