/** Runs statements and transactions on a pool, and turns the server's faults into those of a store. */
import { OutcomeUnknown, QueryTimeout, StoreUnavailable, TooManyLists } from '../../error.ts'
import { isConflict, isLost, isOutdated, isPassing, isReadOnly, isTimeout, isUnprepared } from '../error.ts'
import type { Statement } from '../statement.ts'
import type { PostgresHosts } from './hosts.ts'
import { PostgresPool } from './pool.ts'
import type { ListUse, Use } from './pool-use.ts'
import { NotSent, PooledConnection, type Row } from './pooled-connection.ts'
import { SilenceWatch } from './watchdog.ts'

/** How often a write is tried that others stand in the way of. */
const tries = 8

/** A connection that breaks this soon was broken before, in milliseconds. */
const soon = 1000

const outdated = 'The schema of the database was changed for another version of the service. Restart this one.'

/** Where statements run: each on whichever connection is free, or all of them in one transaction. */
export interface Statements {
  /** Reads with a statement that may take its time, on a connection for that use. */
  read<Input>(statement: Statement<Input>, input: Input, pace?: Pace): Promise<readonly Row[]>
  /** Reads with a statement that is quick whatever its values. */
  readShort<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]>
  /** Runs a statement that is all or nothing by itself, and quick, unless somebody else holds its record. */
  writeShort<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]>
  /** Runs several statements as one: all of them, or none. */
  transaction<Result>(work: (connection: Pick<PooledConnection, 'run'>) => Promise<Result>): Promise<Result>
}

/** The use of a connection, and a callback that gets how long it was used, in milliseconds. */
export interface Pace {
  readonly use: ListUse
  note(tookMs: number): void
}

/** How a transaction is begun, and what is done on its connection before and after it. */
export interface Manner {
  readonly before: string
  readonly begin: string
  readonly after: string
}

export class PostgresDatabase implements Statements {
  readonly #hosts: PostgresHosts
  readonly #pool: PostgresPool
  readonly #watch: SilenceWatch

  constructor(hosts: PostgresHosts) {
    this.#hosts = hosts
    this.#pool = new PostgresPool({ open: async (onLost) => new PooledConnection(await hosts.open(), onLost) })
    this.#watch = new SilenceWatch(hosts, this.#pool)
  }

  /** Reads with a statement that may take its time. Where it takes too much, that is its own fault. */
  async read<Input>(statement: Statement<Input>, input: Input, pace?: Pace): Promise<readonly Row[]> {
    const run = async (connection: PooledConnection) => {
      const begun = performance.now()
      try {
        return await connection.run(statement, input)
      } finally {
        pace?.note(performance.now() - begun)
      }
    }
    try {
      return await this.#again(() => this.#pool.with(pace?.use ?? 'list', run))
    } catch (error) {
      if (isTimeout(error)) throw new QueryTimeout('The database stopped a list that took too long.', { cause: error })
      throw this.#fault(error)
    }
  }

  /** Reads with a statement that is quick whatever its values. */
  async readShort<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    try {
      return await this.#again(() => this.#pool.with('read', (connection) => connection.run(statement, input)))
    } catch (error) {
      throw this.#fault(error)
    }
  }

  /** Runs a statement that is a transaction by itself, and may take its time. */
  write<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    return this.#write('transaction', statement, input)
  }

  /** Writes with a statement that is quick, unless somebody else holds its record: it may go out behind others of its kind. */
  writeShort<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    return this.#write('write', statement, input)
  }

  async #write<Input>(use: Use, statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    try {
      return await this.#again(
        () => this.#pool.with(use, (connection) => connection.run(statement, input)),
        (error) => error instanceof NotSent || isUnprepared(error),
      )
    } catch (error) {
      throw this.#unlessUnknown(error)
    }
  }

  /** Runs SQL that can be in no transaction, and is not worth preparing. */
  async execute(text: string): Promise<void> {
    await this.#pool.with('transaction', (connection) => connection.execute(text))
  }

  transaction<Result>(work: (connection: PooledConnection) => Promise<Result>): Promise<Result> {
    return this.#pool.with('transaction', (connection) => this.#transaction(connection, 'begin', work))
  }

  /** The same in a manner of its own. */
  transactionIn<Result>(
    { before, begin, after }: Manner,
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
      throw isCommitting ? this.#unlessUnknown(error) : this.#fault(error)
    }
  }

  /** Makes a write again that was undone since others stood in its way; a write may know more such errors than all do. */
  async persist<Result>(
    write: () => Promise<Result>,
    isInTheWay: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    for (let tried = 1; ; tried++) {
      try {
        return await write()
      } catch (error) {
        if (!isConflict(error) && !isInTheWay(error)) throw error
        if (tried === tries) throw new StoreUnavailable('Other writes stood in the way each time.', { cause: error })
      }
    }
  }

  get pool(): Pick<PostgresPool, 'wait' | 'figures'> {
    return this.#pool
  }

  close(): Promise<void> {
    this.#watch.close()
    return this.#pool.close()
  }

  /** What breaks off at once is tried again: the server may have ended its connection, and others, before. */
  async #again<Result>(
    attempt: () => Promise<Result>,
    isHarmless: (error: unknown) => boolean = (error) => isLost(error) || isUnprepared(error),
  ): Promise<Result> {
    for (const begun = performance.now(); ; ) {
      try {
        return await attempt()
      } catch (error) {
        const isGone =
          error instanceof StoreUnavailable || error instanceof TooManyLists || performance.now() - begun > soon
        if (isGone || !isHarmless(error)) throw error
      }
    }
  }

  /** A write whose connection breaks before its answer comes may have been done. */
  #unlessUnknown(error: unknown): unknown {
    return isLost(error) && !(error instanceof NotSent) && !(error instanceof StoreUnavailable)
      ? new OutcomeUnknown('The connection to the database broke during a write.', { cause: error })
      : this.#fault(error)
  }

  /** What an error means to whoever asked. Nothing has changed. */
  #fault(error: unknown): unknown {
    if (error instanceof StoreUnavailable || error instanceof TooManyLists) return error
    if (isReadOnly(error) && this.#hosts.forget()) this.#pool.renew()
    if (isOutdated(error)) return new StoreUnavailable(outdated, { cause: error })
    if (isLost(error)) return new StoreUnavailable('The connection to the database broke.', { cause: error })
    return isPassing(error) ? new StoreUnavailable('The database cannot take the request.', { cause: error }) : error
  }
}
