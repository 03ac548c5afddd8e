/** One connection of a pool: statements go out one behind the other, each prepared once. */
import type pg from 'pg'
import { LruCache } from '../../../foundation/lru-cache.ts'
import { serverError } from '../../fault.ts'
import { isLost } from '../error.ts'
import type { Statement } from '../statement.ts'
import { breakOff, endClient } from './end.ts'
import type { Use } from './pool-use.ts'

/** A row as the server sends it: every value as text. */
export type Row = readonly (string | null)[]

/** How many statements a connection keeps prepared. Each takes some memory of the server's, its plan most of all. */
const preparedLimit = 200

/** Values stay the text that they come as. */
const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** A statement that the server has not run: its connection was closed before, or ended before the statement did. */
export class NotSent extends Error {
  override readonly name = 'Unrun'
}

export class PooledConnection {
  readonly #client: pg.Client
  readonly #onLost: (lost: PooledConnection) => void
  /** Names of prepared statements. */
  readonly #prepared = new LruCache<true>(preparedLimit, (name) => this.#deallocate(name))
  #isOpen = true
  /** Whether the server has run the statement whose answer is due next. */
  #isRun = false
  /** Whether the server has said why it ends the connection. */
  #hasLastWords = false
  #underWay = 0
  readonly #faults = new WeakSet<object>()
  /** When the last answer came, or the first statement went out that waits for one. */
  #heardAt = 0
  /** What the pool gave it away for last, and how many use it now. */
  use: Use = 'read'
  load = 0

  /** `onLost` is told once, when the server or the way to it is gone. The client must be one that pipelines. */
  constructor(client: pg.Client, onLost: (lost: PooledConnection) => void) {
    this.#client = client
    this.#onLost = onLost
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', () => this.#lose())
    client.on('end', () => this.#lose())
    client.connection.on('commandComplete', () => {
      this.#isRun = true
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** For how long nothing has come back though something was sent, in milliseconds. */
  get silence(): number {
    return this.#underWay === 0 ? 0 : performance.now() - this.#heardAt
  }

  /** Sends a statement at once, without waiting for those before it. */
  run<Input>({ name, text, bind }: Statement<Input>, input: Input): Promise<readonly Row[]> {
    this.#prepared.get(name, () => true)
    return this.#send({ name, text, values: bind(input) })
  }

  /** Whether an error has come from here, and not from whoever decides between two statements. */
  isFault(error: unknown): boolean {
    return error instanceof Error && this.#faults.has(error)
  }

  /** Sends SQL that is not worth preparing. */
  execute(text: string): Promise<readonly Row[]> {
    return this.#send({ text })
  }

  /** Ends when all that is under way has been answered. */
  async close(): Promise<void> {
    this.#isOpen = false
    await endClient(this.#client)
  }

  /** Ends at once. What is under way fails: it may have been done, or not. */
  break(fault: Error): void {
    breakOff(this.#client, fault)
  }

  #send(query: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<readonly Row[]> {
    if (!this.#isOpen) return Promise.reject(this.#fault(new NotSent('The connection is closed.')))
    if (this.#underWay++ === 0) this.#heardAt = performance.now()
    return new Promise((resolve, reject) => {
      const config = { ...query, rowMode: 'array' as const, types }
      this.#client.query<(string | null)[]>(config, (error: Error | null, result) => {
        if (--this.#underWay > 0) this.#heardAt = performance.now()
        // Of a commit, the server tells only when it is done.
        const isRun = this.#isRun || query.name === undefined
        this.#isRun = false
        if (error) reject(this.#fault(isLost(error) ? this.#broken(error, isRun) : error))
        else resolve(result.rows)
      })
    })
  }

  /**
   * Answers come in the order of the statements. The server tells of a statement's end before it commits it, and all that
   * it tells comes before its last words: after these, nothing is run.
   */
  #broken(error: Error, isRun: boolean): Error {
    if (serverError(error)) this.#hasLastWords = true
    this.#lose()
    return this.#hasLastWords && !isRun ? new NotSent('The server ended the connection.', { cause: error }) : error
  }

  #fault(error: Error): Error {
    this.#faults.add(error)
    return error
  }

  #lose(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onLost(this)
  }

  /** The driver cannot deallocate a statement; it only has a list of those that it has prepared. */
  #deallocate(name: string): void {
    const { parsedStatements } = this.#client.connection as unknown as { parsedStatements: Record<string, string> }
    delete parsedStatements[name]
    // A connection that breaks here is lost in any case, and noticed elsewhere.
    this.#client.query(`deallocate "${name}"`, () => {
      this.#isRun = false
    })
  }
}
