/** Knows the packages of a repository: which one a file belongs to, what it may depend on, where an import leads. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

type Dependencies = Record<string, string>
type Manifest = {
  name?: string
  exports?: string | Record<string, unknown>
  dependencies?: Dependencies
  peerDependencies?: Dependencies
  optionalDependencies?: Dependencies
  devDependencies?: Dependencies
}

export type Workspace = {
  /** Every TypeScript file, as a path from the root. */
  files: string[]
  /** The folder of the package that a file belongs to. */
  homeOf(file: string): string
  /** Whether the package of the file declares a dependency. */
  declares(file: string, dependency: string): boolean
  /** The file that an import leads to; nothing where it leaves the repository. */
  resolve(file: string, specifier: string): string | undefined
}

export const isTest = (file: string): boolean => /\.test(-d)?\.tsx?$|\/test\//.test(file)
export const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier)

/** `@nomen/core/client` belongs to `@nomen/core`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

export function workspace(root: string): Workspace {
  const manifest = (home: string): Manifest | undefined => {
    const path = posix.join(root, home, 'package.json')
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  }
  const list = (pattern: string): string[] =>
    globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' })
      .map((file) => file.replaceAll('\\', '/'))
      .sort()

  const homes = list('{packages,apps}/*/package.json').map((path) => posix.dirname(path))
  const manifests = new Map([...homes, 'bench'].map((home) => [home, manifest(home)]))
  const rootManifest = manifest('.') ?? {}
  const homeByName = new Map(homes.map((home) => [manifests.get(home)?.name ?? home, home]))
  const homeOf = (file: string): string => {
    const [first = '', second = ''] = file.split('/')
    return first === 'packages' || first === 'apps' ? `${first}/${second}` : first
  }

  return {
    files: list('{packages,apps,bench,scripts}/**/*.{ts,tsx}'),
    homeOf,
    declares(file, dependency) {
      const home = homeOf(file)
      const own = manifests.get(home) ?? {}
      if (dependency === own.name) return true
      const declared = [own.dependencies, own.peerDependencies, own.optionalDependencies]
      // tests, benchmarks, scripts and settings of tools are never published: the root's tools are theirs too
      const isTool = !homes.includes(home)
      if (isTool || isTest(file) || /\.config\.ts$/.test(file))
        declared.push(own.devDependencies, rootManifest.devDependencies)
      return declared.some((names) => names && dependency in names) || (isTool && homeByName.has(dependency))
    },
    resolve(file, specifier) {
      if (isRelative(specifier)) return sourceAt(root, posix.join(posix.dirname(file), specifier))
      const home = homeByName.get(packageOf(specifier))
      if (!home) return undefined
      const door = doorOf(manifests.get(home)?.exports, `.${specifier.slice(packageOf(specifier).length)}`)
      return door && sourceAt(root, posix.join(home, door))
    },
  }
}

function doorOf(exports: Manifest['exports'], subpath: string): string | undefined {
  let door: unknown = typeof exports === 'string' ? { '.': exports }[subpath] : exports?.[subpath]
  while (door && typeof door === 'object') door = Object.values(door)[0]
  return typeof door === 'string' ? door : undefined
}

function sourceAt(root: string, path: string): string | undefined {
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`]
  return candidates.find((candidate) => /\.\w+$/.test(candidate) && existsSync(posix.join(root, candidate)))
}
