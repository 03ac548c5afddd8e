/** Stops statements that take too long. SQLite can be stopped only from within: a statement asks on its way. */
import type { DatabaseSync } from 'node:sqlite'
import { type AnyNoun, specOf } from '@nomen/core'
import type { Condition, ListPlan } from '../../plan.ts'
import { foldedColumn } from '../../sql/fragment.ts'
import type { Guard } from '../../sql/list-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'

/** Thrown where a statement was stopped: it took too long, or it would have for the thread that everybody waits for. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** Whether a text was too long, however much time there was. */
  readonly isLongText: boolean

  constructor(message: string, { cause, isLongText = false }: ErrorOptions & { isLongText?: boolean }) {
    super(message, { cause })
    this.isLongText = isLongText
  }
}

/** A connection, as versions of Node have it. */
type Limitable = Omit<DatabaseSync, 'limits'> & Partial<Pick<DatabaseSync, 'limits'>>

/** Whether SQLite has come to a text that is longer than it may be. */
export function isTooBig(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 18
}

const clocks = new WeakMap<DatabaseSync, StatementClock>()

export class StatementClock {
  readonly #database: Limitable
  #deadline = Number.POSITIVE_INFINITY
  #isStopped = false

  private constructor(database: DatabaseSync) {
    this.#database = database
    database.function('in_time', () => (performance.now() > this.#deadline ? this.#stop() : 1))
    database.function('is_short', () => this.#stop())
  }

  /** The one of a connection: a function of SQL can be defined but once. */
  static of(database: DatabaseSync): StatementClock {
    const known = clocks.get(database) ?? new StatementClock(database)
    clocks.set(database, known)
    return known
  }

  /** Does work that may take until the deadline, in milliseconds by `performance.now()`. Throws `Stopped` after it. */
  run<Result>(deadline: number, work: () => Result): Result {
    this.#deadline = deadline
    this.#isStopped = false
    try {
      return work()
    } catch (error) {
      throw this.#isStopped ? new Stopped('A statement was stopped.', { cause: error }) : error
    } finally {
      this.#deadline = Number.POSITIVE_INFINITY
    }
  }

  /** The same for work that reads no long text, and is stopped where there is one. */
  runOnShortTexts<Result>(deadline: number, work: () => Result): Result {
    const { limits } = this.#database
    // Older versions of Node cannot limit it: there the statement looks at each text.
    if (!limits) return this.run(deadline, work)
    const usual = limits.length
    limits.length = longText
    try {
      return this.run(deadline, work)
    } catch (error) {
      throw isTooBig(error)
        ? new Stopped('A statement came to a long text.', { cause: error, isLongText: true })
        : error
    } finally {
      limits.length = usual
    }
  }

  #stop(): never {
    this.#isStopped = true
    throw new Error('stopped')
  }
}

/**
 * Only some records check the clock. Which ones is random, so that a client cannot create records that avoid the check. A
 * prime number has nothing to do with how identities are given out.
 */
const primes = [17, 19, 23, 29]
const prime = primes[Math.floor(Math.random() * primes.length)] as number
const residue = Math.floor(Math.random() * prime)

/** Without a search, comparing a record takes well below a microsecond, so that fewer of them ask. */
const quickPrime = 251
const quickResidue = Math.floor(Math.random() * quickPrime)

/** Records that are written as JSON may be of a megabyte each, so that more of them ask. */
const shownPrime = 7
const shownResidue = Math.floor(Math.random() * shownPrime)

/** From this length on, in bytes, a text is searched beside the service: one comparison may take a millisecond. */
const longText = 65_536

/** At most, when a text is folded. */
const bytesPerCharacter = 12

interface GuardOptions {
  /** Whether only a known, small number of records is looked at. */
  readonly isBounded: boolean
  /** Whether the statement has to look itself that it searches no long text. */
  readonly isMeasuring: boolean
}

/** Conditions that are always true, and stop the statement of a list where the clock says so. */
export function guardOf({ operation, conditions }: ListPlan, { isBounded, isMeasuring }: GuardOptions): Guard {
  const { noun } = operation.shape
  const isGuid = noun.fields[noun.identity].spec.guid === true
  const searched = conditions.filter((condition) => condition.kind === 'search')
  const texts = Math.max(1, ...searched.map((condition) => condition.texts.length))
  const asks = (identity: Sql, every: number, at: number) => {
    if (every <= 1) return sql`in_time()`
    // One hexadecimal digit of a guid is one in 16, two are one in 256.
    const digits = every === quickPrime ? 2 : 1
    const isPassing = isGuid
      ? sql`substr(${identity}, 3, ${sql.lit(digits)}) <> ${sql.lit((at % 16).toString(16).repeat(digits))}`
      : sql`${identity} % ${sql.lit(every)} <> ${sql.lit(at)}`
    return sql`(${isPassing} or in_time())`
  }
  return {
    ...(!isBounded && {
      // The more is compared with each record, the fewer of them pass before one asks.
      look: (identity: Sql) => {
        if (searched.length === 0) return asks(identity, quickPrime, quickResidue)
        return texts > 3 ? asks(identity, isGuid ? 1 : 2, residue % 2) : asks(identity, prime, residue)
      },
    }),
    show: (identity: Sql) => asks(identity, shownPrime, shownResidue),
    shortTexts: isMeasuring ? searched.flatMap((condition) => shortTexts(noun, condition)) : [],
  }
}

/** That none of the searched texts of a record is long. */
function shortTexts(noun: AnyNoun, { fields }: Condition): readonly Sql[] {
  const isLongPossible = (field: string) => (specOf(noun, field).maxLength ?? longText) * bytesPerCharacter >= longText
  return fields.filter(isLongPossible).map((field) => {
    const length = sql`coalesce(octet_length(${foldedColumn(noun, field)}), 0)`
    return sql`(${length} < ${sql.lit(longText)} or is_short())`
  })
}
