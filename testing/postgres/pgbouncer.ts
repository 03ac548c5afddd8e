/** A real PgBouncer in front of a PostgreSQL server: with its default settings, except for the pool mode and those given. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../debian.ts'
import { freePort } from '../free-port.ts'
import { programOf } from './debian-release.ts'
import { unprivilegedUser } from './programs.ts'
import { waitUntilConnectable } from './server.ts'

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

/** The program of a later Debian release. It does not run as root, so it is outside of folders that only root may read. */
export const laterPgBouncer = (): string => programOf(later, join(tmpdir(), 'nomen-pgbouncer-later'))

export interface PgBouncer {
  /** The URL of the database through PgBouncer. */
  readonly url: string
  stop(): Promise<void>
}

export type PoolMode = 'session' | 'transaction'

/** That of the system, or another version. */
const systemProgram = () => process.env.NOMEN_TEST_PGBOUNCER ?? programPath(['pgbouncer'], 'pgbouncer')

/** `sections` is the beginning of the configuration, with `[databases]` and `[pgbouncer]`. */
export async function startPgBouncer(
  url: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
  {
    program = systemProgram(),
    sections = '[databases]\n[pgbouncer]\n',
  }: { readonly program?: string; readonly sections?: string } = {},
): Promise<PgBouncer> {
  const { hostname, port: serverPort, username } = new URL(url)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'nomen-pgbouncer-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`)
  const lines = [
    sections.replace('[databases]\n', `[databases]\n* = host=${hostname} port=${serverPort}\n`),
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${mode}`,
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn(program, [file], { ...unprivilegedUser, stdio: 'ignore' })
  const stop = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
  const address = new URL(url)
  address.port = `${port}`
  try {
    // PgBouncer refuses some parameters of the URL.
    await waitUntilConnectable(`${address.href.split('?')[0]}`)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: address.href, stop }
}
