/** Installs packages into a folder without a network: links to those of this checkout, and to no other. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.ts'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Installs those packages, or those that the manifest of the folder names, and notes them there as npm does. */
export function install(folder: string, named: readonly string[], isDevelopment = false): void {
  const path = join(folder, 'package.json')
  const manifest: Manifest = existsSync(path) ? read(path) : {}
  const wanted = named.length > 0 ? named : Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const ranges = Object.fromEntries(wanted.map(withoutRange).map((name) => [name, `^${link(folder, name).version}`]))
  if (named.length === 0) return
  const kind = isDevelopment ? 'devDependencies' : 'dependencies'
  writeFileSync(path, `${JSON.stringify({ ...manifest, [kind]: { ...manifest[kind], ...ranges } }, null, 2)}\n`)
}

function withoutRange(name: string): string {
  return name.replace(/(?<=.)@.*/, '')
}

function link(folder: string, name: string): Manifest {
  const from = join(root, 'node_modules', name)
  if (!existsSync(from))
    throw new Error(
      `"${name}" is not in this checkout. Make it a dependency of testing/, or do without it on the page.`,
    )
  const manifest = read(join(from, 'package.json'))
  place(from, join(folder, 'node_modules', name))
  const commands = typeof manifest.bin === 'string' ? { [name.replace(/.*\//, '')]: manifest.bin } : manifest.bin
  for (const [command, program] of Object.entries(commands ?? {}))
    place(join(from, program), join(folder, 'node_modules/.bin', command))
  return manifest
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { force: true })
  symlinkSync(from, to)
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'))
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const names = words.filter((word) => !word.startsWith('-'))
  try {
    install(process.cwd(), names, words.includes('-D') || words.includes('--save-dev'))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
