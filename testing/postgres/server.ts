/** A real PostgreSQL server for tests and benchmarks, on a free port of the loopback address. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { programFolder, runProgram, temporaryFolder, unprivilegedUser } from './programs.ts'

export interface PostgresOptions {
  /** Settings of the server: `{ synchronous_commit: 'on' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether commits are flushed to the disk. (default: false, because most tests do not need it) */
  readonly isDurable?: boolean
  /** The folder of its files, created if it does not exist. (default: a temporary folder) */
  readonly folder?: string
}

export interface PostgresServer {
  readonly port: number
  /** The folder of the server's files. */
  readonly folder: string
  /** The URL of a database. (default: `postgres`) */
  url(database?: string): string
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  dropDatabase(url: string): Promise<void>
  /** Starts the server again with the same port and files. */
  start(): Promise<void>
  /** Stops the server cleanly: connections are closed, commits are kept. */
  stop(): Promise<void>
  /** Kills the server at once, like a power failure. */
  kill(): Promise<void>
  /** Suspends all processes of the server: connections stay open without a response. */
  freeze(): void
  /** Resumes the suspended processes. */
  thaw(): void
  /** Stops the server and removes its files. */
  remove(): Promise<void>
}

/** Starts a new server, or one whose files are in a folder. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = programFolder()
  const folder = options.folder ?? temporaryFolder('nomen-postgres-')
  if (!existsSync(join(folder, 'PG_VERSION'))) makeFiles(programs, folder)
  return startInFolder(programs, folder, options)
}

function makeFiles(programs: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (unprivilegedUser) chownSync(folder, unprivilegedUser.uid, unprivilegedUser.gid)
  runProgram(join(programs, 'initdb'), [
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
 * Creates a standby from a copy of the files of a running primary, and starts it. `pg_promote()` makes it the primary. The
 * primary waits for the standby at every commit if `synchronous_standby_names` has the name of the standby.
 */
export async function startStandby(
  primary: PostgresServer,
  name: string,
  options: PostgresOptions = {},
): Promise<PostgresServer> {
  const programs = programFolder()
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
  if (unprivilegedUser) execFileSync('chown', ['-R', `${unprivilegedUser.uid}:${unprivilegedUser.gid}`, folder])
  chmodSync(folder, 0o700)
  return startInFolder(programs, folder, {
    ...options,
    settings: { ...options.settings, synchronous_standby_names: '' },
  })
}

async function startInFolder(programs: string, folder: string, options: PostgresOptions): Promise<PostgresServer> {
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
    child = await startProcess(join(programs, 'postgres'), folder, settings, url())
  }
  const end = async (signal: 'INT' | 'KILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.stdin?.end(`${signal}\n`)
    await exit
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
  // While the first process is stopped, it starts no new processes.
  const children = () => readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  if (signal === 'SIGSTOP') process.kill(server, signal)
  for (const child of children()) process.kill(child, signal)
  if (signal === 'SIGCONT') process.kill(server, signal)
}

/** Stops the server when its parent process ends, even by a kill, because standard input is then closed. */
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
  retries = 100,
): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn('sh', ['-c', guard, 'postgres', postgres, '-D', folder, ...flags], {
    ...unprivilegedUser,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (part) => {
    errors = `${errors}${part}`.slice(-4000)
  })
  child.stdin?.on('error', () => {})
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break
    if (await isConnectable(url)) return child
    await pause(50)
  }
  child.stdin?.end()
  // The processes of a killed server need a moment to exit.
  if (errors.includes('is still in use') && retries > 0) {
    await pause(100)
    return startProcess(postgres, folder, settings, url, retries - 1)
  }
  throw new Error(`PostgreSQL did not start.\n${errors}`)
}

/** Waits until a database accepts connections. A new database reaches a standby after a moment. */
export async function waitUntilConnectable(url: string): Promise<void> {
  for (let tries = 0; !(await isConnectable(url)); tries++) {
    if (tries === 600) throw new Error(`${url} does not accept connections.`)
    await pause(50)
  }
}

async function isConnectable(url: string): Promise<boolean> {
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
