/**
 * Runs the tests for PostgreSQL with other versions of it: `npm run test:postgres -- 14 15 16 17`. Further arguments that are
 * not a version are paths of tests.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPostgres, postgresPackages } from './postgres-package.ts'

const root = join(import.meta.dirname, '..')

const args = process.argv.slice(2)
const versions = args.filter((argument) => argument in postgresPackages)
if (versions.length === 0) throw new Error(`Name at least one version: ${Object.keys(postgresPackages).join(', ')}`)
for (const version of versions) {
  console.log(`PostgreSQL ${version}`)
  const env = { ...process.env, NOMEN_TEST_POSTGRES_PACKAGE: installPostgres(postgresPackages[version] as string) }
  const paths = args.filter((argument) => !versions.includes(argument))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'postgres', ...paths], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
