/** The command line settings. */
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
  /** How often the start of each contender is measured. */
  readonly starts: number
  readonly kinds: typeof peerRequestKinds
  /** Parts of the names of the selected peers (default: all). */
  readonly peers: readonly string[]
  /** Whether to store the figures. */
  readonly isKept: boolean
  /** Whether to draw the stored figures again, without measuring. */
  readonly isDrawn: boolean
}

export const help = `npm run bench:peers -- [options]

Compares the service with other tools that serve a database as an API. The first run installs them, which takes minutes;
later runs take about ten minutes. Writes the table into bench/README.md, and the chart next to it.

  --database <kind>       sqlite or postgres, with all peers that support it (default: sqlite)
  --users <number>        records in the database (default: 100000)
  --rounds <number>       number of turns of each contender (default: 3)
  --seconds <number>      length of one turn (default: 3)
  --connections <number>  concurrent requests (default: 64)
  --peer <text>           only peers whose name contains this; repeatable. Nothing is written then
  --only <text>           only kinds of requests whose name contains this. Nothing is written then
  --draw                  draw table and chart again from the figures of the last run, without measuring
  --quick                 a short, inaccurate run that writes into the folder for temporary files

The databases are in the folder for temporary files; set TMPDIR for another disk.`

/** Reads the flags; undefined for --help. Throws errors that the user can fix. */
export function readPeerSettings(args: readonly string[]): PeerSettings | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: 'string' },
      users: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      peer: { type: 'string', multiple: true },
      only: { type: 'string' },
      draw: { type: 'boolean' },
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const defaults = values.quick ? { users: 1000, rounds: 1, seconds: 0.3 } : { users: 100_000, rounds: 3, seconds: 3 }
  const { database = 'sqlite', only = '', peer: peers = [] } = values
  if (database !== 'sqlite' && database !== 'postgres')
    throw new Error(`--database is "${database}". Use sqlite or postgres.`)
  const kinds = peerRequestKinds.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
  if (kinds.length === 0)
    throw new Error(
      `No kind of request contains "${only}". The kinds are: ${peerRequestKinds.map(({ name }) => name).join(', ')}.`,
    )
  return {
    database,
    users: positive('users', values.users, defaults.users),
    rounds: positive('rounds', values.rounds, defaults.rounds),
    seconds: positive('seconds', values.seconds, defaults.seconds),
    connections: positive('connections', values.connections, 64),
    starts: values.quick ? 1 : 3,
    kinds,
    peers,
    isKept: !values.quick && peers.length === 0 && only === '',
    isDrawn: values.draw ?? false,
  }
}
