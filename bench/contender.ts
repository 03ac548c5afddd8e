/** The contenders of a benchmark, and how to start them. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nomenArguments } from '@nomen/testing/compiled'
import { freePort } from '@nomen/testing/free-port'
import { end, isEnded, startNode } from './child.ts'
import { directoryCopy } from './contender/directory-copy.ts'
import { conventions } from './dialect/conventions.ts'
import type { Dialect } from './dialect.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** The resources of a contender. */
export interface ContenderResources {
  /** A file, or the URL of a PostgreSQL database. */
  readonly database: string
  /** A folder that the contender may write into. */
  readonly folder: string
  readonly port: number
}

export interface Contender {
  readonly name: string
  /** Its storage: a database, or its own file. */
  readonly database: DatabaseKind | 'file'
  readonly dialect: Dialect
  /** Node with arguments, or another program. */
  readonly command: (resources: ContenderResources) => Command
}

export interface Command {
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The executable (default: the current Node). */
  readonly program?: string
  readonly cwd?: string
}

/** A running contender. */
export interface RunningContender {
  readonly name: string
  readonly url: string
  readonly dialect: Dialect
  readonly child: ChildProcess
  /** The file with its output. */
  readonly log: string
}

const fileOf = (url: string): string => fileURLToPath(url)
const synchronousOff = fileOf(import.meta.resolve('./contender/synchronous-off.ts'))
const root = dirname(import.meta.dirname)

/** The arguments of Node that run `nomen` from its sources. */
export const sourceArguments: readonly string[] = ['packages/cli/src/nomen.ts']

/** The arguments of Node for `nomen serve` with an access log, as a user runs it. */
export function serveArguments(
  nomen: readonly string[],
  serviceFile: string,
  { database, folder, port }: ContenderResources,
): readonly string[] {
  return [
    ...[...nomen, 'serve', serviceFile, '--port', `${port}`, '--host', '127.0.0.1'],
    ...['--database', database.includes('://') ? database : `sqlite:${database}`],
    ...['--access-log', join(folder, 'access.log')],
  ]
}

/** The compiled directory, without history, which the other contenders do not have. Compile the packages before. */
export const service: Contender = {
  name: 'the service',
  database: 'sqlite',
  dialect: conventions,
  command: commandOf(nomenArguments),
}

export const oneProcess: Contender = { ...service, name: 'one process' }

/** The service in several processes. */
export function withWorkers(workers: number): Contender {
  const command: Contender['command'] = (resources) => {
    const { args, ...options } = service.command(resources)
    return { ...options, args: [...args, '--workers', `${workers}`] }
  }
  return { ...service, command }
}

/** The service from its sources, for the comparison with another checkout. */
export const sources: Contender = { ...service, command: commandOf(sourceArguments) }

/** The sources of another checkout of this repository, started in its folder. */
export function otherCheckout(folder: string): Contender {
  return {
    ...sources,
    name: 'the other checkout',
    command: (resources) => ({ args: directoryArguments(sourceArguments, folder, resources), cwd: folder }),
  }
}

function commandOf(nomen: readonly string[]): Contender['command'] {
  return (resources) => ({ args: directoryArguments(nomen, root, resources) })
}

function directoryArguments(nomen: readonly string[], checkout: string, resources: ContenderResources) {
  return serveArguments(nomen, directoryCopy(checkout), resources)
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

/** Fills an empty database with the sample of a service. */
export async function makeDatabase(
  database: string,
  folder: string,
  users: number,
  maker: Contender = service,
): Promise<void> {
  const contender = await start(maker, database, folder, { SAMPLE_USERS: `${users}` })
  await end(contender.child)
}

/** Starts a contender on its own database. With `isFast`, commits are not synced to disk. */
export async function startOn(
  contender: Contender,
  database: string,
  folder: string,
  { isFast = false } = {},
): Promise<RunningContender> {
  const command: Contender['command'] = (resources) => {
    const original = contender.command(resources)
    return isFast ? { ...original, args: ['--import', synchronousOff, ...original.args] } : original
  }
  return start({ ...contender, command }, database, folder)
}

/** Resolves with the first response 200. The output of the process goes into a file of the folder. */
export async function start(
  { name, dialect, command }: Contender,
  database: string,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningContender> {
  const port = await freePort()
  const { args, ...options } = command({ database, folder, port })
  const log = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const child = startNode(args, { ...options, environment: { ...options.environment, ...environment }, log })
  const url = `http://127.0.0.1:${port}`
  const { path } = dialect.request({ target: 'record', id: 1 })
  const last = await firstResponse(child, `${url}${path}`)
  if (last === 200) return { name, url, dialect, child, log }
  await end(child)
  throw new Error(`${name} did not respond to GET ${path} with 200; ${last}. Its output:\n${lastLines(log)}`)
}

/** Milliseconds from starting the process of a contender to its first response 200, on an existing database. */
export async function timeToFirstResponse(start: () => Promise<RunningContender>): Promise<number> {
  const startMs = performance.now()
  const { child } = await start()
  const durationMs = performance.now() - startMs
  await end(child)
  return durationMs
}

/** Why a contender has ended, if it has. */
export function causeOfEnd({ name, child, log }: RunningContender): string | undefined {
  if (!isEnded(child)) return undefined
  return `${name} has ended with ${child.exitCode ?? child.signalCode}. Its output:\n${lastLines(log)}`
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
}

/** The time limit of a start, which may have to fill a large database first. */
const startTimeoutMs = 600_000

/** Polls until the response is 200, the process has ended, or the time limit is reached. */
async function firstResponse(child: ChildProcess, url: string): Promise<number | string> {
  const startTime = performance.now()
  let last: number | string = 'it never responded'
  while (performance.now() - startTime < startTimeoutMs) {
    if (isEnded(child)) return `it ended with ${child.exitCode ?? child.signalCode}`
    try {
      const response = await fetch(url)
      await response.arrayBuffer()
      if (response.status === 200) return 200
      last = `its last response was ${response.status}`
    } catch {
      // The process does not listen yet.
    }
    await pause(5)
  }
  return last
}
