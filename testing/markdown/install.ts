/** Installs packages into a folder without a network, as links to the packages of this checkout. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nomenArguments } from '../compiled.ts'
import { root } from './root.ts'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Installs these packages, or those in the manifest of the folder, and adds them to the manifest like npm. */
export function install(folder: string, requestedNames: readonly string[], isDevelopment = false): void {
  const path = join(folder, 'package.json')
  const manifest: Manifest = existsSync(path) ? readManifest(path) : {}
  const packageNames =
    requestedNames.length > 0 ? requestedNames : Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const ranges = Object.fromEntries(
    packageNames.map(withoutRange).map((name) => [name, `^${link(folder, name).version}`]),
  )
  if (requestedNames.length === 0) return
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
      `"${name}" is not in this checkout. Add it to the dependencies of testing/, or remove it from the page.`,
    )
  const manifest = readManifest(join(from, 'package.json'))
  replaceLink(from, join(folder, 'node_modules', name))
  const commands = typeof manifest.bin === 'string' ? { [name.replace(/.*\//, '')]: manifest.bin } : manifest.bin
  for (const [command, program] of Object.entries(commands ?? {})) {
    const path = join(folder, 'node_modules/.bin', command)
    if (command === 'nomen') writeProgram(path)
    else replaceLink(join(from, program), path)
  }
  return manifest
}

/** Our command is the bundled one, as in the published package. */
function writeProgram(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  writeFileSync(path, `#!/bin/sh\nexec node ${nomenArguments.join(' ')} "$@"\n`, { mode: 0o755 })
}

function replaceLink(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { force: true })
  symlinkSync(from, to)
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'))
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const names = args.filter((arg) => !arg.startsWith('-'))
  try {
    install(process.cwd(), names, args.includes('-D') || args.includes('--save-dev'))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
