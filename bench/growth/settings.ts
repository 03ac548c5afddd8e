/** The command line settings. */
import { parseArgs } from 'node:util'
import type { DatabaseKind } from '../contender.ts'
import { positive } from '../settings.ts'

export interface GrowthSettings {
  readonly databases: readonly DatabaseKind[]
  /** Numbers of users, from small to large. */
  readonly sizes: readonly number[]
  /** How often the sizes take turns. */
  readonly rounds: number
  /** The number of sequential requests of each page in all rounds, and the time limit. */
  readonly requests: number
  readonly seconds: number
  /** Whether to print the costs of other requests instead, at the largest size. */
  readonly isRest: boolean
  /** Whether to draw the stored figures again, without measuring. */
  readonly isDrawn: boolean
  /** Whether to store the figures. */
  readonly isKept: boolean
}

const sizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000]
const databases: readonly DatabaseKind[] = ['sqlite', 'postgres']

export const help = `npm run bench:growth -- [options]

Measures the cost of a page of ten users with exact totals, from a thousand users to ten million, and compares it with
limit/offset and count(*). Writes the table into bench/README.md, and the chart next to it.

The first run fills the databases: ten million users take 6 to 20 minutes and about 10 GiB per database. They are kept in
the folder for temporary files (set TMPDIR for another disk). Later runs take about ten minutes.

  --database <kind>    sqlite or postgres (default: both)
  --largest <number>   skip sizes above this one: ${sizes.join(', ')}
  --requests <number>  sequential requests per page (default: 2000)
  --seconds <number>   time limit per page (default: 9)
  --rounds <number>    rounds, in which the sizes take turns (default: 3)
  --rest               print the cost of other requests at the largest size: search, two filters, another order
  --draw               draw table and chart again from the figures of the last run, without measuring
  --quick              a short, inaccurate run that writes into the folder for temporary files`

/** Reads the flags; undefined for --help. Throws errors that the user can fix. */
export function readGrowthSettings(args: readonly string[]): GrowthSettings | undefined {
  const { values } = parseArgs({
    args: [...args],
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
  const defaults = values.quick
    ? { largest: 10_000, requests: 100, seconds: 0.5, rounds: 1 }
    : { largest: Number.POSITIVE_INFINITY, requests: 2000, seconds: 9, rounds: 3 }
  const selected = databases.filter((kind) => values.database === undefined || kind === values.database)
  if (selected.length === 0) throw new Error(`--database is "${values.database}". Use sqlite or postgres.`)
  const largest = values.largest ? positive('largest', values.largest, 0) : defaults.largest
  const measuredSizes = sizes.filter((size) => size <= largest)
  if (measuredSizes.length === 0) throw new Error(`--largest is ${largest}. The smallest size is ${sizes[0]}.`)
  return {
    databases: selected,
    sizes: measuredSizes,
    requests: positive('requests', values.requests, defaults.requests),
    seconds: positive('seconds', values.seconds, defaults.seconds),
    rounds: positive('rounds', values.rounds, defaults.rounds),
    isRest: values.rest ?? false,
    isDrawn: values.draw ?? false,
    isKept: !values.quick,
  }
}
