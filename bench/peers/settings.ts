/** What the command line asks for. */
import { parseArgs } from 'node:util'
import type { DatabaseKind } from '../contender.ts'
import { peerRequestKinds } from '../request-kind.ts'
import { positive } from '../settings.ts'

export interface PeerSettings {
  readonly database: DatabaseKind
  readonly users: number
  readonly rounds: number
  /** Length of one turn of one contender. */
  readonly seconds: number
  readonly connections: number
  /** How often each contender is started to measure its start. */
  readonly starts: number
  readonly kinds: typeof peerRequestKinds
  /** Whether peers get an index on the two properties of the filtered list together. */
  readonly hasCommonIndex: boolean
  /** Parts of the names of the peers that are wanted; all where there are none. */
  readonly peers: readonly string[]
  /** Whether the figures are good enough to be kept. */
  readonly isKept: boolean
  /** Whether figures that were kept are only to be drawn again. */
  readonly isDrawn: boolean
}

export const help = `npm run bench:peers -- [options]

Compares the service with other ways to serve a database as an API. Installs them the first time, which takes minutes;
then about ten minutes. Writes the table into bench/README.md and the chart beside it.

  --database <kind>       sqlite unless given, or postgres: then the service and all peers that can run on it
  --users <number>        records in the database, 100000 unless given
  --rounds <number>       how often the contenders take turns, 3 unless given
  --seconds <number>      length of one turn, 3 unless given
  --connections <number>  requests under way at once, 64 unless given
  --peer <text>           only peers whose name contains this; may be repeated. Nothing is written then
  --only <text>           only kinds of requests whose name contains this. Nothing is written then
  --common-index          gives peers an index on the two filtered properties together. Nothing is written then
  --draw                  measures nothing: draws table and chart again from the figures of the last run
  --quick                 shows that it works, measures badly, and writes into the folder for temporary files

The databases lie in the folder for temporary files; TMPDIR names another disk.`

/** Reads the flags; undefined where only the help is wanted. Throws what a person can fix. */
export function readPeerSettings(given: readonly string[]): PeerSettings | undefined {
  const { values } = parseArgs({
    args: [...given],
    options: {
      database: { type: 'string' },
      users: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      peer: { type: 'string', multiple: true },
      only: { type: 'string' },
      'common-index': { type: 'boolean' },
      draw: { type: 'boolean' },
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const usual = values.quick ? { users: 1000, rounds: 1, seconds: 0.3 } : { users: 100_000, rounds: 3, seconds: 3 }
  const { database = 'sqlite', only = '', peer: peers = [], 'common-index': hasCommonIndex = false } = values
  if (database !== 'sqlite' && database !== 'postgres')
    throw new Error(`--database is "${database}". Give sqlite or postgres.`)
  const kinds = peerRequestKinds.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
  if (kinds.length === 0)
    throw new Error(`No kind of request is called "${only}": ${peerRequestKinds.map(({ name }) => name).join(', ')}.`)
  return {
    database,
    users: positive('users', values.users, usual.users),
    rounds: positive('rounds', values.rounds, usual.rounds),
    seconds: positive('seconds', values.seconds, usual.seconds),
    connections: positive('connections', values.connections, 64),
    starts: values.quick ? 1 : 3,
    kinds,
    hasCommonIndex,
    peers,
    isKept: !values.quick && !hasCommonIndex && peers.length === 0 && only === '',
    isDrawn: values.draw ?? false,
  }
}
