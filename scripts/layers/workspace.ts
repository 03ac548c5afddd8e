/** The packages of a repository: the package of a file, its dependencies, and the target of an import. */
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
  /** Every test, and every file that only tests use. */
  testFiles: string[]
  /** The folder of the package that a file belongs to. */
  folderOf(file: string): string
  /** Whether the package of the file declares a dependency. */
  declares(file: string, dependency: string): boolean
  /** The imported file; undefined if it is not in the repository. */
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
  const manifest = (folder: string): Manifest | undefined => {
    const path = posix.join(root, folder, 'package.json')
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  }
  const list = (pattern: string): string[] =>
    globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' })
      .map((file) => file.replaceAll('\\', '/'))
      .sort()

  const folders = list('{packages,apps}/*/package.json').map((path) => posix.dirname(path))
  const manifests = new Map([...folders, 'bench'].map((folder) => [folder, manifest(folder)]))
  const rootManifest = manifest('.') ?? {}
  const folderByName = new Map(folders.map((folder) => [manifests.get(folder)?.name ?? folder, folder]))
  const folderOf = (file: string): string => {
    const [first = '', second = ''] = file.split('/')
    return first === 'packages' || first === 'apps' ? `${first}/${second}` : first
  }

  return {
    files: list('{packages,apps,bench,scripts}/**/*.{ts,tsx}'),
    testFiles: list('{packages,apps,bench,docs,scripts,testing}/**/*.{ts,tsx}').filter(
      (file) => isTest(file) || file.startsWith('testing/'),
    ),
    folderOf,
    declares(file, dependency) {
      const folder = folderOf(file)
      const ownManifest = manifests.get(folder) ?? {}
      if (dependency === ownManifest.name) return true
      const declared = [ownManifest.dependencies, ownManifest.peerDependencies, ownManifest.optionalDependencies]
      // Tests, benchmarks, scripts and tool settings are not published, so they may use the development dependencies of the root.
      const isTool = !folders.includes(folder)
      if (isTool || isTest(file) || /\.config\.ts$/.test(file))
        declared.push(ownManifest.devDependencies, rootManifest.devDependencies)
      return declared.some((names) => names && dependency in names) || (isTool && folderByName.has(dependency))
    },
    resolve(file, specifier) {
      if (isRelative(specifier)) return sourceAt(root, posix.join(posix.dirname(file), specifier))
      const folder = folderByName.get(packageOf(specifier))
      if (!folder) return undefined
      const entryPoint = entryPointOf(
        manifests.get(folder)?.exports,
        `.${specifier.slice(packageOf(specifier).length)}`,
      )
      return entryPoint && sourceAt(root, posix.join(folder, entryPoint))
    },
  }
}

function entryPointOf(exports: Manifest['exports'], subpath: string): string | undefined {
  let entryPoint: unknown = typeof exports === 'string' ? { '.': exports }[subpath] : exports?.[subpath]
  // The last condition is the default: the source file.
  while (entryPoint && typeof entryPoint === 'object') entryPoint = Object.values(entryPoint).at(-1)
  return typeof entryPoint === 'string' ? entryPoint : undefined
}

function sourceAt(root: string, path: string): string | undefined {
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`]
  return candidates.find((candidate) => /\.\w+$/.test(candidate) && existsSync(posix.join(root, candidate)))
}
