/** Completes the history entries that the triggers have written, with the origin of the write. */
import type { DatabaseSync } from 'node:sqlite'
import { change } from '@nomen/core'
import type { Model } from '../../model.ts'
import type { Origin } from '../../plan.ts'
import { quotedName } from '../../sql/sql.ts'
import { columnName, tableName } from '../../stored-name.ts'

const table = quotedName(tableName(change))
const [id, user, application, request, transaction] = ['id', 'user', 'application', 'request', 'transaction'].map(
  (field) => quotedName(columnName(change, field)),
)

/** The highest entry before a write. */
export const lastEntryQuery = `select coalesce(max(${id}), 0) from ${table}`

/** Sets user, application, request and transaction of all entries after an entry. */
export const originQuery = `update ${table}
set ${user} = ?, ${application} = ?, ${request} = ?, ${transaction} = ?
where ${id} > ?`

/** The first four values of `originQuery`. The transaction is named after the first entry that it may have written. */
export function originValues({ user, application, request }: Origin, lastEntry: number) {
  return [user ?? null, application ?? null, request ?? null, `${lastEntry + 1}`] as const
}

export class HistoryOrigin {
  readonly #lastEntry: () => number
  readonly #setOrigin: (origin: Origin, transactionStart: number, lastEntry: number) => void
  /** The highest entry before the current transaction of several writes. */
  #transactionStart: number | undefined

  constructor(database: DatabaseSync) {
    const selectLastEntry = database.prepare(lastEntryQuery)
    selectLastEntry.setReturnArrays(true)
    const updateOrigin = database.prepare(originQuery)
    this.#lastEntry = () => Number((selectLastEntry.get() as unknown as readonly unknown[])[0])
    this.#setOrigin = (origin, transactionStart, lastEntry) =>
      void updateOrigin.run(...originValues(origin, transactionStart), lastEntry)
  }

  /** Undefined if the service records no history. */
  static of(database: DatabaseSync, { nouns }: Model): HistoryOrigin | undefined {
    return nouns.get(change.name)?.noun === change ? new HistoryOrigin(database) : undefined
  }

  /** Begins a transaction of several writes, whose entries have the same transaction. */
  begin(): void {
    this.#transactionStart = this.#lastEntry()
  }

  end(): void {
    this.#transactionStart = undefined
  }

  /** Runs a write, and completes its entries. */
  runWrite<Result>(origin: Origin, write: () => Result): Result {
    const lastEntry = this.#lastEntry()
    const result = write()
    this.#setOrigin(origin, this.#transactionStart ?? lastEntry, lastEntry)
    return result
  }
}
