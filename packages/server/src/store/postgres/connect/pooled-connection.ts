/** One connection of a pool: statements are pipelined, and each is prepared once. */
import type pg from 'pg'
import { LruCache } from '../../../foundation/lru-cache.ts'
import { serverError } from '../../fault/fault.ts'
import { isConnectionLost } from '../error.ts'
import type { Statement } from '../statement.ts'
import { destroyClient, endClient } from './end.ts'
import type { Session } from './hosts.ts'
import type { Use } from './pool-use.ts'
import type { SharedSessions } from './pooler.ts'
import type { Role } from './role.ts'
import { CloseQuery, type Row, TextQuery, type TextQueryDone, type TextQueryOptions } from './text-query.ts'

/** How many prepared statements a connection keeps. Each uses memory of the server, mostly for its plan. */
const maxPreparedStatements = 200

/** A statement that the server has not run, because the connection was closed before. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

export class PooledConnection {
  readonly #client: pg.Client
  readonly #onLost: (lost: PooledConnection) => void
  /** Names of prepared statements. */
  readonly #prepared = new LruCache<true>(maxPreparedStatements, (name) => this.#deallocate(name))
  /** Set if a pooler gives each transaction another session. */
  readonly #shared: SharedSessions | undefined
  #isInTransaction = false
  #isOpen = true
  /** Whether the server has sent the error with which it ends the connection. */
  #hasFatalError = false
  #pending = 0
  readonly #faults = new WeakSet<object>()
  /** When the last response came, or the first pending statement was sent. */
  #lastResponseAt = 0
  /** The last use of the connection, and its number of current users. */
  use: Use = 'read'
  load = 0
  readonly openedAt = performance.now()
  idleSince = this.openedAt
  /** The part of its maximum life after which it is replaced; random, so that not all are replaced at once. */
  readonly lifeShare = 0.9 + 0.1 * Math.random()
  /** The server at the other end. */
  readonly role: Role

  /** `onLost` is called once when the connection is lost. The client must support pipelining. */
  constructor({ client, role, shared }: Session, onLost: (lost: PooledConnection) => void) {
    this.#client = client
    this.role = role
    this.#shared = shared
    this.#onLost = onLost
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', () => this.#markLost())
    client.on('end', () => this.#markLost())
    // Later statements refer to the settings by this name.
    const settings = shared?.statement
    if (settings?.name !== undefined) this.#client.query(new TextQuery({ ...settings, values: [] }, () => {}))
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** How long a pending statement has had no response. */
  get silenceMs(): number {
    return this.#pending === 0 ? 0 : performance.now() - this.#lastResponseAt
  }

  /** Sends a statement without waiting for earlier ones. */
  run<Input>({ name, text, bind }: Statement<Input>, input: Input): Promise<readonly Row[]> {
    const query = { text, values: bind(input), ...(!this.#isInTransaction && { settings: this.#shared?.statement }) }
    if (this.#shared && this.#shared.statement.name === undefined) return this.#send(query)
    this.#prepared.get(name, () => true)
    return this.#send({ ...query, name })
  }

  /** Whether an error comes from this connection, and not from code between two statements. */
  isFault(error: unknown): boolean {
    return error instanceof Error && this.#faults.has(error)
  }

  /** Sends SQL as it is, without preparing it. */
  execute(statements: string): Promise<readonly Row[]> {
    return this.#send({ text: statements })
  }

  /** Begins a transaction. `settings` run first in it; they must take no snapshot. */
  begin(begin: string, settings: readonly string[] = []): Promise<readonly Row[]> {
    this.#isInTransaction = true
    return this.execute([begin, this.#shared?.script ?? [], settings].flat().join('; '))
  }

  end(end: 'commit' | 'rollback'): Promise<readonly Row[]> {
    this.#isInTransaction = false
    return this.execute(end)
  }

  /** Closes the connection when all pending statements have a response. */
  async close(): Promise<void> {
    this.#isOpen = false
    await endClient(this.#client)
  }

  /** Closes the connection at once. Pending statements fail, with an unknown outcome. */
  break(fault: Error): void {
    destroyClient(this.#client, fault)
  }

  #send(query: TextQueryOptions): Promise<readonly Row[]> {
    if (!this.#isOpen) return Promise.reject(this.#fault(new NotSent('The connection is closed.')))
    if (this.#pending++ === 0) this.#lastResponseAt = performance.now()
    return new Promise((resolve, reject) => {
      const onDone: TextQueryDone = (error, rows = []) => {
        if (--this.#pending > 0) this.#lastResponseAt = performance.now()
        if (error) reject(this.#fault(isConnectionLost(error) ? this.#lostError(error, textQuery.isRun) : error))
        else resolve(rows)
      }
      const textQuery = new TextQuery(query, onDone)
      this.#client.query(textQuery)
    })
  }

  /**
   * Responses come in the order of the statements. The server reports the end of a statement before it commits, and its
   * fatal error comes last. So a statement without a report before the fatal error was not run. A pooler sends its own
   * fatal errors, whatever the server has done.
   */
  #lostError(error: Error, isRun: boolean): Error {
    if (serverError(error) && this.role.processId !== undefined) this.#hasFatalError = true
    this.#markLost()
    return this.#hasFatalError && !isRun ? new NotSent('The server ended the connection.', { cause: error }) : error
  }

  #fault(error: Error): Error {
    this.#faults.add(error)
    return error
  }

  #markLost(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onLost(this)
  }

  /** The driver cannot deallocate a statement, but it has a list of those that it has prepared. */
  #deallocate(name: string): void {
    const { parsedStatements } = this.#client.connection as unknown as { parsedStatements: Record<string, string> }
    delete parsedStatements[name]
    this.#client.query(new CloseQuery(name))
  }
}
