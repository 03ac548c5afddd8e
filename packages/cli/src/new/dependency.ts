/** The dependencies of a new project: published packages of Nomen, or the local ones that this command was installed from. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { packageFile } from '../source/package-file.ts'

type Dependencies = Readonly<Record<string, string>>

export interface PackageDependencies {
  readonly dependencies: Dependencies
  readonly devDependencies: Dependencies
}

/** The folder of this package. */
const ownFolder = realpathSync(packageFile('.'))

/** `folder` is the existing project folder; `version` is the common version of the packages. */
export function packageDependencies(folder: string, version: string, packageFolder = ownFolder): PackageDependencies {
  const local = localPackages(packageFolder)
  const versionOf = (name: string) => {
    const path = local?.get(name)
    return path === undefined ? `^${version}` : `file:${pathFrom(folder, path)}`
  }
  return {
    dependencies: {
      // `nomen serve` also runs in production.
      '@nomen/cli': versionOf('cli'),
      // npm finds an unpublished package only if the project lists it.
      ...(local?.has('conventions') && { '@nomen/conventions': versionOf('conventions') }),
      '@nomen/core': versionOf('core'),
      '@nomen/server': versionOf('server'),
    },
    devDependencies: { ...(local?.has('msw') && { msw: versionOf('msw') }) },
  }
}

/** The folders of a clone, or the tarballs of the installation. Undefined if the packages come from a registry. */
function localPackages(packageFolder: string): ReadonlyMap<string, string> | undefined {
  const names = ['core', 'server', 'conventions', 'cli']
  if (!packageFolder.split(sep).includes('node_modules')) {
    // The sources of core import the msw of the clone: a second copy would have different types.
    const msw = join(packageFolder, '../../node_modules/msw')
    return new Map([...names.map((name) => [name, join(dirname(packageFolder), name)] as const), ['msw', msw]])
  }
  const paths = tarballs(resolve(packageFolder, '../..'), names)
  return paths.length > 0 && paths.every((path) => path !== undefined && existsSync(path))
    ? new Map(names.map((name, index) => [name, `${paths[index]}`]))
    : undefined
}

/** The tarballs in the lock file that npm writes into node_modules. */
function tarballs(modules: string, names: readonly string[]): readonly (string | undefined)[] {
  try {
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    return names.map((name) => {
      const { resolved } = lock.packages[`node_modules/@nomen/${name}`] ?? {}
      return /^file:.*\.tgz$/.test(resolved) ? resolve(dirname(modules), resolved.slice('file:'.length)) : undefined
    })
  } catch {
    return []
  }
}

/** Relative, as npm writes it; absolute on another drive. */
function pathFrom(folder: string, path: string): string {
  const relativePath = relative(realpathSync(folder), path)
  return (isAbsolute(relativePath) ? path : relativePath).split(sep).join('/')
}
