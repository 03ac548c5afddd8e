/** Runs statements and transactions on a pool, and converts errors of the server to errors of a store. */
import { type PoolLimits, poolLimits } from '../../connection/database-pool.ts'
import {
  ConnectionLost,
  OutcomeUnknown,
  OutdatedSchema,
  QueryTimeout,
  StoreUnavailable,
  TooManyLists,
} from '../../fault/error.ts'
import { type Fault, faultOf, isUnavailable } from '../../fault/fault.ts'
import { type RetryOptions, retry } from '../../fault/retry.ts'
import { isConnectionLost } from '../error.ts'
import type { Statement } from '../statement.ts'
import type { PostgresHosts } from './hosts.ts'
import { PostgresPool } from './pool.ts'
import type { ListUse, Use } from './pool-use.ts'
import { NotSent, PooledConnection } from './pooled-connection.ts'
import type { Row } from './text-query.ts'
import { ConnectionWatchdog } from './watchdog.ts'

/** Runs a statement, on one connection or on any. */
export type Run = <Input>(statement: Statement<Input>, input: Input) => Promise<readonly Row[]>

/** Where reads run: on any connection, or on that of a transaction. */
export interface Reads {
  /** Reads with a statement that may be slow, on a connection for that use. */
  read<Input>(statement: Statement<Input>, input: Input, timing?: ListTiming): Promise<readonly Row[]>
  /** Reads with a statement that is fast for all values. */
  readonly readShort: Run
}

/** Where writes run: each on any connection, or all of them in one transaction. */
export interface Writes extends Pick<Reads, 'readShort'> {
  /** Runs a single-statement transaction, which is fast unless another one has locked its record. */
  readonly writeShort: Run
  /** Runs several statements in one transaction. */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
}

/** The use of a connection, and a callback with the time that it took. */
export interface ListTiming {
  readonly use: ListUse
  recordDuration(tookMs: number): void
}

/** The statement that begins a transaction, and its first statements, which must take no snapshot. */
export interface TransactionMode {
  readonly begin: string
  readonly firstStatements: readonly string[]
}

type TransactionWork<Result> = (connection: PooledConnection, beginResult: Promise<unknown>) => Promise<Result>

/** Writes are designed for this isolation level, whatever the default of the database is. */
const readCommitted: TransactionMode = { begin: 'begin isolation level read committed', firstStatements: [] }

export interface DatabaseOptions {
  readonly limits?: PoolLimits
  /** Called when the server no longer accepts writes, and when it accepts them again. */
  readonly onReadOnly?: ((isReadOnly: boolean) => void) | undefined
}

export class PostgresDatabase implements Reads {
  readonly #hosts: PostgresHosts
  readonly #pool: PostgresPool
  readonly #watchdog: ConnectionWatchdog
  readonly #retries = new Map<Fault, number>([
    ['conflict', 0],
    ['lost', 0],
  ])

  constructor(hosts: PostgresHosts, { limits = poolLimits(), onReadOnly }: DatabaseOptions = {}) {
    this.#hosts = hosts
    this.#pool = new PostgresPool({
      limits,
      open: async (onLost) => new PooledConnection(await hosts.open(), onLost),
      onReadOnly,
    })
    this.#watchdog = new ConnectionWatchdog(hosts, this.#pool)
  }

  /** Runs an attempt by the retry policy, and counts its retries. */
  retry<Result>(attempt: (tries: number) => Promise<Result>, options: RetryOptions = {}): Promise<Result> {
    return retry(attempt, { ...options, onRetry: this.#countRetry })
  }

  readonly #countRetry = (fault: Fault): void => {
    this.#retries.set(fault, (this.#retries.get(fault) ?? 0) + 1)
  }

  /** How often an attempt was run again, by the fault of the one before. */
  get retries(): ReadonlyMap<Fault, number> {
    return this.#retries
  }

  /** Runs each statement once: for writes of several statements, which are retried as a whole. */
  readonly withoutRetry: Writes = {
    readShort: (statement, input) => this.#run('read', statement, input),
    // Pipelined behind other writes.
    writeShort: (statement, input) => this.#run('write', statement, input),
    transaction: (work) =>
      this.#pool.with('transaction', (connection) =>
        // The first statement is sent without waiting for the begin.
        this.#transaction(connection, readCommitted, () =>
          work((statement, input) => connection.run(statement, input)),
        ),
      ),
  }

  /** A statement that times out gets its own error. */
  async read<Input>(statement: Statement<Input>, input: Input, timing?: ListTiming): Promise<readonly Row[]> {
    const use = timing?.use ?? 'list'
    try {
      return await this.retry(() => this.#run(use, statement, input, timing))
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || faultOf(error.cause) !== 'timeout') throw error
      throw new QueryTimeout('The database stopped a list that took too long.', { cause: error.cause })
    }
  }

  readonly readShort: Run = (statement, input) => this.retry(() => this.#run('read', statement, input))

  /** Runs a single-statement transaction that may be slow. */
  readonly write: Run = (statement, input) => this.retry(() => this.#run('transaction', statement, input))

  /** Runs one statement that cannot be in a transaction, with the default settings of the database user. */
  async executeOutsideTransaction(statements: string): Promise<void> {
    await this.#pool.with('transaction', (connection) => connection.execute(statements))
  }

  /** Runs a transaction in a special mode. Statements that the work sends before it has begun are pipelined. */
  transactionIn<Result>(mode: TransactionMode, work: TransactionWork<Result>): Promise<Result> {
    return this.#pool.with('transaction', (connection) => this.#transaction(connection, mode, work))
  }

  async #transaction<Result>(
    connection: PooledConnection,
    { begin, firstStatements }: TransactionMode,
    work: TransactionWork<Result>,
  ): Promise<Result> {
    let isCommitting = false
    try {
      const beginResult = connection.begin(begin, firstStatements)
      const [result] = await Promise.all([work(connection, beginResult), beginResult])
      isCommitting = true
      await connection.end('commit')
      return result
    } catch (error) {
      if (connection.isOpen) await connection.end('rollback').catch(() => {})
      if (!connection.isFault(error)) throw error
      throw isCommitting ? this.#writeFault(error) : this.#fault(error)
    }
  }

  get pool(): Pick<PostgresPool, 'oldestWaitMs' | 'figures' | 'isReadOnly'> {
    return this.#pool
  }

  /** How often the primary was replaced. */
  get failovers(): number {
    return this.#hosts.failovers
  }

  close(): Promise<void> {
    this.#watchdog.close()
    return this.#pool.close()
  }

  async #run<Input>(use: Use, statement: Statement<Input>, input: Input, timing?: ListTiming): Promise<readonly Row[]> {
    try {
      return await this.#pool.with(use, async (connection) => {
        const startMs = performance.now()
        try {
          return await connection.run(statement, input)
        } finally {
          timing?.recordDuration(performance.now() - startMs)
        }
      })
    } catch (error) {
      const isWrite = use === 'write' || use === 'transaction'
      throw isWrite ? this.#writeFault(error, ConnectionLost) : this.#fault(error, ConnectionLost)
    }
  }

  /** If the connection breaks before the response to a write, the write may have been committed. */
  #writeFault(error: unknown, Lost = StoreUnavailable): unknown {
    return isConnectionLost(error) && !(error instanceof NotSent) && !(error instanceof StoreUnavailable)
      ? new OutcomeUnknown('The connection to the database broke during a write.', { cause: error })
      : this.#fault(error, Lost)
  }

  /** The store's error for an error of the server. Nothing was changed. A `ConnectionLost` is retried. */
  #fault(error: unknown, Lost = StoreUnavailable): unknown {
    if (error instanceof StoreUnavailable || error instanceof TooManyLists) return error
    const fault = faultOf(error)
    if (fault === 'read-only' && !this.#pool.isReadOnly) {
      // Its role has changed since the connection was opened. Another server may accept the write now.
      this.#hosts.forget()
      this.#pool.renew()
      return new ConnectionLost('The database server no longer accepts writes.', { cause: error })
    }
    if (fault === 'outdated-schema') return new OutdatedSchema({ cause: error })
    if (isConnectionLost(error)) return new Lost('The connection to the database broke.', { cause: error })
    return isUnavailable(error)
      ? new StoreUnavailable('The database rejected the connection or statement.', { cause: error })
      : error
  }
}
