/** Who is compared, and how each is started. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { end, isEnded, startNode } from './child.ts'
import { conventions } from './dialect/conventions.ts'
import type { Dialect } from './dialect.ts'
import { freePort } from './free-port.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** Where a contender works. */
export interface Place {
  /** A file, or the address of a PostgreSQL database. */
  readonly database: string
  /** A folder that the contender may write into. */
  readonly folder: string
  readonly port: number
}

export interface Contender {
  readonly name: string
  /** What it keeps its records in: a database, or a file of its own. */
  readonly database: DatabaseKind | 'file'
  readonly dialect: Dialect
  /** How Node is started. */
  readonly command: (place: Place) => Command
}

export interface Command {
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly node?: string
  readonly cwd?: string
}

/** A contender that answers at an address. */
export interface Served {
  readonly name: string
  readonly url: string
  readonly dialect: Dialect
  readonly child: ChildProcess
  /** The file with what it prints. */
  readonly log: string
}

const fileOf = (url: string): string => fileURLToPath(url)
const synchronousOff = fileOf(import.meta.resolve('./contender/synchronous-off.ts'))

/** As a user runs it: the command, with its access log. */
export const service: Contender = {
  name: 'the service',
  database: 'sqlite',
  dialect: conventions,
  command: ({ database, folder, port }) => ({
    args: [
      ...['packages/cli/src/nomen.ts', 'serve', 'apps/directory', '--port', `${port}`, '--host', '127.0.0.1'],
      ...['--database', database.includes('://') ? database : `sqlite:${database}`],
      ...['--access-log', join(folder, 'access.log')],
    ],
  }),
}

/** The service of another checkout of this repository, started the same way in its folder. */
export function otherCheckout(folder: string): Contender {
  return {
    ...service,
    name: 'the other checkout',
    command: (place) => ({ ...service.command(place), cwd: folder }),
  }
}

export const byHand: Contender = {
  name: 'by hand',
  database: 'sqlite',
  dialect: conventions,
  command: ({ database, port }) => ({
    args: [fileOf(import.meta.resolve('./contender/by-hand.ts')), database, `${port}`],
  }),
}

export const byHandPostgres: Contender = {
  ...byHand,
  database: 'postgres',
  command: ({ database, port }) => ({
    args: [fileOf(import.meta.resolve('./contender/by-hand-postgres.ts')), database, `${port}`],
  }),
}

export const limit: Contender = {
  name: 'the limit',
  database: 'sqlite',
  dialect: conventions,
  command: ({ database, port }) => ({
    args: [fileOf(import.meta.resolve('./contender/limit.ts')), database, `${port}`],
  }),
}

/** Has a service fill an empty database with its sample. */
export async function makeDatabase(
  database: string,
  folder: string,
  users: number,
  maker: Contender = service,
): Promise<void> {
  const made = await start(maker, database, folder, { SAMPLE_USERS: `${users}` })
  await end(made.child)
}

/** Starts a contender on a database of its own. With `isFast` its commits do not wait for the disk. */
export async function startOn(
  contender: Contender,
  database: string,
  folder: string,
  { isFast = false } = {},
): Promise<Served> {
  const command: Contender['command'] = (place) => {
    const given = contender.command(place)
    return isFast ? { ...given, args: ['--import', synchronousOff, ...given.args] } : given
  }
  return start({ ...contender, command }, database, folder)
}

/** Resolves with the first answer 200. What the process prints goes into a file of the folder. */
export async function start(
  { name, dialect, command }: Contender,
  database: string,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const port = await freePort()
  const { args, ...given } = command({ database, folder, port })
  const log = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const child = startNode(args, { ...given, environment: { ...given.environment, ...environment }, log })
  const url = `http://127.0.0.1:${port}`
  const { path } = dialect.request({ of: 'record', id: 1 })
  const last = await firstAnswer(child, `${url}${path}`)
  if (last === 200) return { name, url, dialect, child, log }
  await end(child)
  throw new Error(`${name} did not answer GET ${path} with 200; ${last}. It printed:\n${lastLines(log)}`)
}

/** Why a contender is not there any more, where it is not. */
export function causeOfEnd({ name, child, log }: Served): string | undefined {
  if (!isEnded(child)) return undefined
  return `${name} has ended with ${child.exitCode ?? child.signalCode}. It printed:\n${lastLines(log)}`
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
}

/** The longest that a start may take: a database of many records may have to be filled first. */
const patience = 600_000

/** Asks until the answer is 200, the process has ended, or too much time has passed. */
async function firstAnswer(child: ChildProcess, url: string): Promise<number | string> {
  const started = performance.now()
  let last: number | string = 'it never answered'
  while (performance.now() - started < patience) {
    if (isEnded(child)) return `it ended with ${child.exitCode ?? child.signalCode}`
    try {
      const response = await fetch(url)
      await response.arrayBuffer()
      if (response.status === 200) return 200
      last = `its last answer was ${response.status}`
    } catch {
      // It does not listen yet.
    }
    await pause(5)
  }
  return last
}
