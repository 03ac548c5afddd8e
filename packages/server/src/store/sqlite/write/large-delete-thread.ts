/** A thread that runs the statements of one large delete in one transaction, and ends. */
import type { SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../../connection/open-sqlite.ts'
import type { Origin } from '../../plan.ts'
import { rowsPerBatch } from '../../sql/delete-steps.ts'
import { lastEntryQuery, originQuery, originValues } from './history-origin.ts'

export interface BoundStatement {
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** The statements of a large delete. */
export interface LargeDelete {
  /** Returns a row if the record has not changed. */
  readonly versionCheck: BoundStatement
  /** Each returns 0 if no record refers to it. */
  readonly counts: readonly BoundStatement[]
  /** Each runs until it changes fewer than `rowsPerBatch` rows. */
  readonly changes: readonly BoundStatement[]
  /** Deletes the record itself. */
  readonly deleteRecord: BoundStatement
  /** Who deletes, if the service records history. */
  readonly origin?: Origin
}

export interface DeleteTask extends LargeDelete {
  readonly path: string
  /** The settings of the store's connections. */
  readonly pragmas: string
  /** The time limit. */
  readonly timeoutMs: number
}

/** Everything was done; or nothing, because of a concurrent write or the time limit. */
export type DeleteResult = 'done' | 'changed' | 'timeout'

const {
  path,
  pragmas,
  versionCheck: unchanged,
  counts,
  changes,
  deleteRecord: removal,
  origin,
  timeoutMs,
} = workerData as DeleteTask

parentPort?.postMessage(runDelete())

function runDelete(): DeleteResult {
  const database = openSqlite(path, { enableForeignKeyConstraints: true, timeout: 5000 })
  try {
    database.exec(pragmas)
    const deadline = performance.now() + timeoutMs
    const firstRow = ({ text, values }: BoundStatement) => {
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      return statement.get(...values) as unknown as readonly unknown[] | undefined
    }
    database.exec('begin immediate')
    const lastEntry = origin && Number(firstRow({ text: lastEntryQuery, values: [] })?.[0])
    if (!firstRow(unchanged) || counts.some((count) => firstRow(count)?.[0] !== 0)) return 'changed'
    for (const { text, values } of changes) {
      const statement = database.prepare(text)
      while (Number(statement.run(...values).changes) === rowsPerBatch)
        if (performance.now() > deadline) return 'timeout'
    }
    database.prepare(removal.text).run(...removal.values)
    if (origin && lastEntry !== undefined)
      database.prepare(originQuery).run(...originValues(origin, lastEntry), lastEntry)
    database.exec('commit')
    return 'done'
  } finally {
    // Closing rolls back an open transaction.
    database.close()
  }
}
