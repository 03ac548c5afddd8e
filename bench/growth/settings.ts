/** What the command line asks for. */
import { parseArgs } from 'node:util'
import type { DatabaseKind } from '../contender.ts'
import { positive } from '../settings.ts'

export interface GrowthSettings {
  readonly databases: readonly DatabaseKind[]
  /** Numbers of users, from small to large. */
  readonly sizes: readonly number[]
  /** How often the sizes take turns. */
  readonly rounds: number
  /** How many requests of each page are sent one after the other, in all rounds, and the seconds that are enough. */
  readonly requests: number
  readonly seconds: number
  /** Whether the costs of other requests are printed instead, at the largest size. */
  readonly isRest: boolean
  /** Whether figures that were kept are only to be drawn again. */
  readonly isDrawn: boolean
  /** Whether the figures are good enough to be kept. */
  readonly isKept: boolean
}

const sizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000]
const databases: readonly DatabaseKind[] = ['sqlite', 'postgres']

export const help = `npm run bench:growth -- [options]

Measures what a page of ten users with exact totals costs, from a thousand users to ten million, against plain
limit/offset with count(*). Writes the table into bench/README.md and the chart beside it.

The databases are filled the first time, ten million users in 6 to 20 minutes each and about 10 GiB each, and kept in the
folder for temporary files; TMPDIR names another disk. After that it takes about ten minutes.

  --database <kind>    sqlite or postgres; both unless given
  --largest <number>   leaves out the sizes above this one: ${sizes.join(', ')}
  --requests <number>  of each page, one after the other; 2000 unless given
  --seconds <number>   after which fewer are enough, 9 unless given
  --rounds <number>    in which the sizes take turns, 3 unless given
  --rest               prints what other requests cost at the largest size: search, two filters, another order
  --draw               measures nothing: draws table and chart again from the figures of the last run
  --quick              shows that it works, measures badly, and writes into the folder for temporary files`

/** Reads the flags; undefined where only the help is wanted. Throws what a person can fix. */
export function readGrowthSettings(given: readonly string[]): GrowthSettings | undefined {
  const { values } = parseArgs({
    args: [...given],
    options: {
      database: { type: 'string' },
      largest: { type: 'string' },
      requests: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      rest: { type: 'boolean' },
      draw: { type: 'boolean' },
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return undefined
  const usual = values.quick
    ? { largest: 10_000, requests: 100, seconds: 0.5, rounds: 1 }
    : { largest: Number.POSITIVE_INFINITY, requests: 2000, seconds: 9, rounds: 3 }
  const wanted = databases.filter((kind) => values.database === undefined || kind === values.database)
  if (wanted.length === 0) throw new Error(`--database is "${values.database}". Give sqlite or postgres.`)
  const largest = values.largest ? positive('largest', values.largest, 0) : usual.largest
  const measured = sizes.filter((size) => size <= largest)
  if (measured.length === 0) throw new Error(`--largest is ${largest}. The smallest size is ${sizes[0]}.`)
  return {
    databases: wanted,
    sizes: measured,
    requests: positive('requests', values.requests, usual.requests),
    seconds: positive('seconds', values.seconds, usual.seconds),
    rounds: positive('rounds', values.rounds, usual.rounds),
    isRest: values.rest ?? false,
    isDrawn: values.draw ?? false,
    isKept: !values.quick,
  }
}
