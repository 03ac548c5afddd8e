/** One connection of a pool: statements go out one behind the other, each prepared once. */
import type pg from 'pg'
import { breakOff, endClient } from './postgres-end.ts'
import { isLost, serverError } from './postgres-error.ts'
import type { Statement } from './statement.ts'

/** A row as the server sends it: every value as text. */
export type Row = readonly (string | null)[]

/** How many statements a connection keeps prepared. Each takes some memory of the server's, its plan most of all. */
const preparedLimit = 200

/** Values stay the text that they come as. */
const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** A statement that the server has not run: its connection was closed before, or ended before the statement did. */
export class Unrun extends Error {
  override readonly name = 'Unrun'
}

export class PooledConnection {
  readonly #client: pg.Client
  readonly #onLost: (lost: PooledConnection) => void
  /** Names of prepared statements, the one that was used longest ago first. */
  readonly #prepared = new Set<string>()
  #isOpen = true
  /** How many statements the server has run. */
  #completed = 0
  #underWay = 0
  /** When the last answer came, or the first statement went out that waits for one. */
  #heardAt = 0
  /** Statements under way, as far as the pool has sent them. */
  load = 0
  /** Whether somebody has it for oneself. */
  isTaken = false

  /** `onLost` is told once, when the server or the way to it is gone. The client must be one that pipelines. */
  constructor(client: pg.Client, onLost: (lost: PooledConnection) => void) {
    this.#client = client
    this.#onLost = onLost
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', () => this.#lose())
    client.on('end', () => this.#lose())
    client.connection.on('commandComplete', () => {
      this.#completed++
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
  async run<Input>({ name, text, bind }: Statement<Input>, input: Input): Promise<readonly Row[]> {
    const completed = this.#completed
    try {
      this.#keep(name)
      return await this.#send({ name, text, values: bind(input) })
    } catch (error) {
      // The server tells of a statement's end before it commits it, and whatever it tells comes before its last words.
      const isUnrun = serverError(error) && isLost(error) && this.#completed === completed
      throw isUnrun ? new Unrun('The server ended the connection.', { cause: error }) : error
    }
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
    if (!this.#isOpen) return Promise.reject(new Unrun('The connection is closed.'))
    if (this.#underWay++ === 0) this.#heardAt = performance.now()
    return new Promise((resolve, reject) => {
      const config = { ...query, rowMode: 'array' as const, types }
      this.#client.query<(string | null)[]>(config, (error: Error | null, result) => {
        if (--this.#underWay > 0) this.#heardAt = performance.now()
        // The server's last words come before its end.
        if (error && isLost(error)) this.#lose()
        if (error) reject(error)
        else resolve(result.rows)
      })
    })
  }

  #lose(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onLost(this)
  }

  /** Notes that a statement is used, and lets the server forget the oldest where there are too many. */
  #keep(name: string): void {
    const isKnown = this.#prepared.has(name)
    if (isKnown && this.#prepared.size < preparedLimit / 2) return
    this.#prepared.delete(name)
    this.#prepared.add(name)
    if (this.#prepared.size <= preparedLimit) return
    for (const oldest of this.#prepared) {
      this.#prepared.delete(oldest)
      forget(this.#client, oldest)
      return
    }
  }
}

/** The driver has no way to forget a statement, only a note of those that it has prepared. */
function forget(client: pg.Client, name: string): void {
  const { parsedStatements } = client.connection as unknown as { readonly parsedStatements: Record<string, string> }
  delete parsedStatements[name]
  // A connection that breaks here is lost in any case, and noticed elsewhere.
  client.query(`deallocate "${name}"`, () => {})
}
