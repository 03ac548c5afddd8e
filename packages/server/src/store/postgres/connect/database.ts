/** Runs statements and transactions on a pool, and turns the server's faults into those of a store. */
import { ConnectionLost, OutcomeUnknown, QueryTimeout, StoreUnavailable, TooManyLists } from '../../error.ts'
import { faultOf, isUnavailable } from '../../fault.ts'
import { retry } from '../../retry.ts'
import { isLost } from '../error.ts'
import type { Statement } from '../statement.ts'
import type { PostgresHosts } from './hosts.ts'
import { PostgresPool } from './pool.ts'
import type { ListUse, Use } from './pool-use.ts'
import { NotSent, PooledConnection, type Row } from './pooled-connection.ts'
import { ConnectionWatchdog } from './watchdog.ts'

const outdated = 'The schema of the database was changed for another version of the service. Restart this one.'

/** Runs a statement, on one connection or on any. */
export type Run = <Input>(statement: Statement<Input>, input: Input) => Promise<readonly Row[]>

/** Where reads run: on any connection, or on that of a transaction. */
export interface Reads {
  /** Reads with a statement that may take its time, on a connection for that use. */
  read<Input>(statement: Statement<Input>, input: Input, pace?: Pace): Promise<readonly Row[]>
  /** Reads with a statement that is quick whatever its values. */
  readonly readShort: Run
}

/** Where writes run: each on any connection, or all of them in one transaction. */
export interface Writes extends Pick<Reads, 'readShort'> {
  /** Runs a statement that is a transaction by itself, and quick unless another one has locked its record. */
  readonly writeShort: Run
  /** Runs several statements as one: all of them, or none. */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
}

/** The use of a connection, and a callback that gets how long it was used, in milliseconds. */
export interface Pace {
  readonly use: ListUse
  note(tookMs: number): void
}

/** How a transaction is begun, and what is done on its connection before and after it. */
export interface TransactionMode {
  readonly before: string
  readonly begin: string
  readonly after: string
}

export class PostgresDatabase implements Reads {
  readonly #hosts: PostgresHosts
  readonly #pool: PostgresPool
  readonly #watch: ConnectionWatchdog

  constructor(hosts: PostgresHosts) {
    this.#hosts = hosts
    this.#pool = new PostgresPool({ open: async (onLost) => new PooledConnection(await hosts.open(), onLost) })
    this.#watch = new ConnectionWatchdog(hosts, this.#pool)
  }

  /** Each statement is tried once: for writes of several statements, which are retried as a whole. */
  readonly once: Writes = {
    readShort: (statement, input) => this.#run('read', statement, input),
    // Goes out behind others of its kind.
    writeShort: (statement, input) => this.#run('write', statement, input),
    transaction: (work) =>
      this.#pool.with('transaction', (connection) =>
        this.#transaction(connection, 'begin', () => work((statement, input) => connection.run(statement, input))),
      ),
  }

  /** A statement that takes too long is at fault itself. */
  async read<Input>(statement: Statement<Input>, input: Input, pace?: Pace): Promise<readonly Row[]> {
    const use = pace?.use ?? 'list'
    try {
      return await retry(() => this.#run(use, statement, input, pace))
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || faultOf(error.cause) !== 'timeout') throw error
      throw new QueryTimeout('The database stopped a list that took too long.', { cause: error.cause })
    }
  }

  readonly readShort: Run = (statement, input) => retry(() => this.#run('read', statement, input))

  /** Runs a statement that is a transaction by itself, and may take its time. */
  readonly write: Run = (statement, input) => retry(() => this.#run('transaction', statement, input))

  /** Runs SQL that can be in no transaction, and is not worth preparing. */
  async execute(text: string): Promise<void> {
    await this.#pool.with('transaction', (connection) => connection.execute(text))
  }

  /** Runs a transaction in a mode of its own. */
  transactionIn<Result>(
    { before, begin, after }: TransactionMode,
    work: (connection: PooledConnection) => Promise<Result>,
  ): Promise<Result> {
    return this.#pool.with('transaction', async (connection) => {
      try {
        await connection.execute(before)
      } catch (error) {
        throw this.#fault(error)
      }
      try {
        return await this.#transaction(connection, begin, work)
      } finally {
        // What it cannot let go of goes with it.
        if (connection.isOpen) await connection.execute(after).catch((error: Error) => connection.break(error))
      }
    })
  }

  async #transaction<Result>(
    connection: PooledConnection,
    begin: string,
    work: (connection: PooledConnection) => Promise<Result>,
  ): Promise<Result> {
    let isCommitting = false
    try {
      // The first statement follows without waiting.
      const [, result] = await Promise.all([connection.execute(begin), work(connection)])
      isCommitting = true
      await connection.execute('commit')
      return result
    } catch (error) {
      if (connection.isOpen) await connection.execute('rollback').catch(() => {})
      if (!connection.isFault(error)) throw error
      throw isCommitting ? this.#writeFault(error) : this.#fault(error)
    }
  }

  get pool(): Pick<PostgresPool, 'wait' | 'figures'> {
    return this.#pool
  }

  close(): Promise<void> {
    this.#watch.close()
    return this.#pool.close()
  }

  async #run<Input>(use: Use, statement: Statement<Input>, input: Input, pace?: Pace): Promise<readonly Row[]> {
    const run = (connection: PooledConnection) => connection.run(statement, input)
    try {
      return await this.#pool.with(use, pace ? (connection) => timed(pace, run(connection)) : run)
    } catch (error) {
      const isWrite = use === 'write' || use === 'transaction'
      throw isWrite ? this.#writeFault(error, ConnectionLost) : this.#fault(error, ConnectionLost)
    }
  }

  /** A write whose connection breaks before its response comes may have been done. */
  #writeFault(error: unknown, Lost = StoreUnavailable): unknown {
    return isLost(error) && !(error instanceof NotSent) && !(error instanceof StoreUnavailable)
      ? new OutcomeUnknown('The connection to the database broke during a write.', { cause: error })
      : this.#fault(error, Lost)
  }

  /** The error of a store that stands for one of the server. Nothing has changed. A `ConnectionLost` is retried. */
  #fault(error: unknown, Lost = StoreUnavailable): unknown {
    if (error instanceof StoreUnavailable || error instanceof TooManyLists) return error
    const fault = faultOf(error)
    if (fault === 'read-only' && this.#hosts.forget()) this.#pool.renew()
    if (fault === 'outdated-schema') return new StoreUnavailable(outdated, { cause: error })
    if (isLost(error)) return new Lost('The connection to the database broke.', { cause: error })
    return isUnavailable(error)
      ? new StoreUnavailable('The database cannot take the request.', { cause: error })
      : error
  }
}

function timed<Result>(pace: Pace, running: Promise<Result>): Promise<Result> {
  const begun = performance.now()
  return running.finally(() => pace.note(performance.now() - begun))
}
