// Install scripts: only allowed, pinned packages have them, and no published package does.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Entry {
  readonly name?: string
  readonly version?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { packages } = json('package-lock.json') as { packages: Record<string, Entry> }
const { allowScripts, devDependencies } = json('package.json')
const nameOf = (path: string, { name }: Entry) => name ?? path.slice(path.lastIndexOf('node_modules/') + 13)
const withScripts = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript)

it('lists every package with an install script as allowed or not allowed', () => {
  const names = withScripts.map(([path, entry]) => nameOf(path, entry))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !(name in allowScripts))).toEqual([])
})

it('allows only packages that are pinned to one version', () => {
  const pinned = { ...devDependencies, ...json('testing/package.json').dependencies }
  for (const [path, entry] of withScripts) {
    const name = nameOf(path, entry)
    if (!allowScripts[name]) continue
    // The binaries of a package have the version of the package.
    const version = pinned[name] ?? pinned[name.replace(/^@([^/]+)\/.*/, '$1')]
    expect(version, name).toBe(entry.version)
  }
})

it('publishes no package that runs a script when it is installed', () => {
  const publishedPaths = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  const visitedPaths = new Set<string>()
  const visit = (path: string) => {
    const entry = packages[path]
    if (!entry || visitedPaths.has(path)) return
    visitedPaths.add(path)
    if (entry.link && entry.resolved) visit(entry.resolved)
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      visit(resolvePath(path, name))
  }
  for (const path of publishedPaths) visit(path)
  expect(visitedPaths.size).toBeGreaterThan(20)
  expect([...visitedPaths].filter((path) => packages[path]?.hasInstallScript)).toEqual([])
})

/** The folder that Node resolves: below the package, then in each node_modules above it. */
function resolvePath(from: string, name: string): string {
  for (let parentPath = from; ; parentPath = parentPath.slice(0, Math.max(0, parentPath.lastIndexOf('/')))) {
    const path = parentPath === '' ? `node_modules/${name}` : `${parentPath}/node_modules/${name}`
    if (packages[path] || parentPath === '') return path
  }
}
