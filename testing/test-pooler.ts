/**
 * Runs the tests for PostgreSQL through PgBouncer, in both pool modes, with the version of this Debian release and with a later
 * one: `node testing/test-pooler.ts`. Arguments are paths of tests.
 */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from './debian.ts'
import { programOf } from './debian-release.ts'

/** PgBouncer keeps track of prepared statements since 1.21. */
const later = {
  name: 'trixie',
  packages: [
    'pgbouncer',
    ...['libc6', 'libcares2', 'libevent-2.1-7t64', 'libpam0g', 'libssl3t64', 'libsystemd0', 'libcap2', 'libaudit1'],
    ...['libcap-ng0', 'libzstd1', 'zlib1g', 'liblz4-1', 'liblzma5', 'libgcrypt20', 'libgpg-error0'],
  ],
  program: 'usr/sbin/pgbouncer',
}

const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

function test(env: Readonly<Record<string, string>>, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

// PgBouncer does not run as root, so that its program is outside of folders that only root may read.
const programs = [programPath(['pgbouncer'], 'pgbouncer'), programOf(later, join(tmpdir(), 'nomen-pgbouncer-later'))]
const paths = process.argv.slice(2)
for (const program of programs) {
  console.log(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n', 1)[0])
  test({ NOMEN_TEST_PGBOUNCER: program }, ['--project', 'slow', 'packages/server/test/pgbouncer.slow.test.ts'])
  for (const mode of ['transaction', 'session']) {
    console.log(`pool_mode = ${mode}`)
    test({ NOMEN_TEST_PGBOUNCER: program, NOMEN_TEST_POOLER: mode }, ['--project', 'postgres', ...paths])
  }
}
