/** What runs on a thread of its own: it does the statements of one large delete in one transaction, and ends. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { someRows } from '../../sql/delete-steps.ts'

export interface BoundStatement {
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

/** The statements of a large delete. */
export interface LargeDelete {
  /** Gives a row if the record has not changed. */
  readonly unchanged: BoundStatement
  /** Each gives 0 if no record points at it. */
  readonly counts: readonly BoundStatement[]
  /** Each is run until it changes less than `someRows`. */
  readonly changes: readonly BoundStatement[]
  /** Deletes the record itself. */
  readonly removal: BoundStatement
}

export interface WriterTask extends LargeDelete {
  readonly path: string
  /** The settings of a connection of the store. */
  readonly pragmas: string
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number
}

/** Whether all is done, or nothing: since others have written meanwhile, or since it took too long. */
export type WriterAnswer = 'done' | 'changed' | 'late'

const { path, pragmas, unchanged, counts, changes, removal, timeoutMs } = workerData as WriterTask

parentPort?.postMessage(work())

function work(): WriterAnswer {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 })
  try {
    database.exec(pragmas)
    const deadline = performance.now() + timeoutMs
    const first = ({ text, values }: BoundStatement) => {
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      return statement.get(...values) as unknown as readonly unknown[] | undefined
    }
    database.exec('begin immediate')
    if (!first(unchanged) || counts.some((count) => first(count)?.[0] !== 0)) return 'changed'
    for (const { text, values } of changes) {
      const statement = database.prepare(text)
      while (Number(statement.run(...values).changes) === someRows) if (performance.now() > deadline) return 'late'
    }
    database.prepare(removal.text).run(...removal.values)
    database.exec('commit')
    return 'done'
  } finally {
    // Closing rolls back an open transaction.
    database.close()
  }
}
