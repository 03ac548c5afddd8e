/**
 * Runs the tests for PostgreSQL through PgBouncer, in both pool modes, with the version of this Debian release and with a later
 * one: `node testing/postgres/test-pooler.ts`. Arguments are paths of tests.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { programPath } from '../debian.ts'
import { laterPgBouncer } from './pgbouncer.ts'

const root = join(import.meta.dirname, '../..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

function test(env: Readonly<Record<string, string>>, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const programs = [programPath(['pgbouncer'], 'pgbouncer'), laterPgBouncer()]
const paths = process.argv.slice(2)
for (const program of programs) {
  console.log(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n', 1)[0])
  test({ NOMEN_TEST_PGBOUNCER: program }, ['--project', 'slow', 'packages/server/test/pgbouncer.slow.test.ts'])
  for (const mode of ['transaction', 'session']) {
    console.log(`pool_mode = ${mode}`)
    test({ NOMEN_TEST_PGBOUNCER: program, NOMEN_TEST_POOLER: mode }, ['--project', 'postgres', ...paths])
  }
}
