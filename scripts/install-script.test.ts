// What runs at the installation: nothing but what is allowed by name, pinned to a version, and no part of what ships.
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
const nameOf = (place: string, { name }: Entry) => name ?? place.slice(place.lastIndexOf('node_modules/') + 13)
const withScripts = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript)

it('allows or refuses every install script of the lock file by name', () => {
  const names = withScripts.map(([place, entry]) => nameOf(place, entry))
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !(name in allowScripts))).toEqual([])
})

it('allows only what is pinned to one version', () => {
  const pinned = { ...devDependencies, ...json('testing/package.json').dependencies }
  for (const [place, entry] of withScripts) {
    const name = nameOf(place, entry)
    if (!allowScripts[name]) continue
    // the binaries of a package have its version
    const asked = pinned[name] ?? pinned[name.replace(/^@([^/]+)\/.*/, '$1')]
    expect(asked, name).toBe(entry.version)
  }
})

it('ships nothing that runs a script when it is installed', () => {
  const shipped = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  const seen = new Set<string>()
  const visit = (place: string) => {
    const entry = packages[place]
    if (!entry || seen.has(place)) return
    seen.add(place)
    if (entry.link && entry.resolved) visit(entry.resolved)
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      visit(placeOf(place, name))
  }
  for (const place of shipped) visit(place)
  expect(seen.size).toBeGreaterThan(20)
  expect([...seen].filter((place) => packages[place]?.hasInstallScript)).toEqual([])
})

/** As Node looks for it: beside, and then further up. */
function placeOf(from: string, name: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[place] || at === '') return place
  }
}
