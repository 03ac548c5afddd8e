/** The options of the command line. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { DatabaseKind } from './contender.ts'
import { otherRequestKinds, requestKinds } from './request-kind.ts'

export interface Settings {
  readonly database: DatabaseKind
  readonly users: number
  readonly rounds: number
  /** Length of one round of one contender. */
  readonly seconds: number
  readonly connections: number
  /** How often the start of each contender is measured. */
  readonly starts: number
  readonly kinds: typeof requestKinds
  readonly json: string | undefined
  /** The root folder of another checkout, to compare this one with. */
  readonly against: string | undefined
  /** The number of processes of the service, to compare with one. */
  readonly workers: number | undefined
}

export const help = `npm run bench -- [options]

Compares the service with the same requests written by hand, and with the limit. Takes about three minutes.

  --database <kind>       sqlite or postgres; on postgres only with the service by hand (default: sqlite)
  --against <folder>      compare with the service of another checkout instead, which has its dependencies installed
  --workers <number>      compare the service in this many processes with one process instead
  --users <number>        records in the database (default: 10000; SAMPLE_USERS)
  --rounds <number>       number of turns of each contender (default: 5)
  --seconds <number>      length of one turn (default: 2)
  --connections <number>  concurrent requests (default: 64)
  --only <text>           only the kinds of requests whose name contains this: GET one, list, filtered list, PATCH, or one
                          of large page, pipelined, new connections, which are not measured otherwise
  --json <file>           write every figure into a file
  --quick                 a short, inaccurate run of some seconds

The databases are in the folder for temporary files; set TMPDIR for another disk.`

/** Reads the flags; undefined for --help. Throws if a flag has a wrong value. */
export function readSettings(args: readonly string[]): Settings | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string', default: 'sqlite' },
      users: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'string' },
      against: { type: 'string' },
      workers: { type: 'string' },
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const defaults = values.quick ? { users: 1000, rounds: 1, seconds: 0.3 } : { users: 10_000, rounds: 5, seconds: 2 }
  const { only } = values
  const allKinds = [...requestKinds, ...otherRequestKinds]
  const kinds =
    only === undefined ? requestKinds : allKinds.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
  if (kinds.length === 0)
    throw new Error(
      `No kind of request contains "${only}". The kinds are: ${allKinds.map(({ name }) => name).join(', ')}.`,
    )
  const { database } = values
  if (database !== 'sqlite' && database !== 'postgres')
    throw new Error(`--database is "${database}". Use sqlite or postgres.`)
  return {
    database,
    users: positive('users', values.users ?? process.env.SAMPLE_USERS, defaults.users),
    rounds: positive('rounds', values.rounds, defaults.rounds),
    seconds: positive('seconds', values.seconds, defaults.seconds),
    connections: positive('connections', values.connections, 64),
    starts: values.quick ? 1 : 5,
    kinds,
    json: values.json,
    against: values.against === undefined ? undefined : checkout(values.against),
    workers: values.workers === undefined ? undefined : positive('workers', values.workers, 2),
  }
}

function checkout(folder: string): string {
  const path = resolve(folder)
  if (existsSync(join(path, 'apps/directory/service.ts')) && existsSync(join(path, 'node_modules'))) return path
  throw new Error(
    `--against is "${folder}", which is not a checkout with installed dependencies. Run npm ci there first.`,
  )
}

/** A number above 0, an integer unless it is a time. Throws otherwise. */
export function positive(name: string, text: string | undefined, defaults: number): number {
  const number = text ? Number(text) : defaults
  if (number > 0 && (Number.isInteger(number) || name === 'seconds')) return number
  throw new Error(`--${name} is "${text}". Use a number above 0.`)
}
