/** One connection of a pool: statements go out one behind the other, each prepared once. */
import type pg from 'pg'
import type { Statement } from './statement.ts'

/** A row as the server sends it: every value as text. */
export type Row = readonly (string | null)[]

/** How many statements a connection keeps prepared. Each takes some memory of the server's, its plan most of all. */
const preparedLimit = 200

/** Values stay the text that they come as. */
const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** A statement that found its connection closed: the server has seen nothing of it. */
export class Unsent extends Error {
  override readonly name = 'Unsent'
}

export class PooledConnection {
  readonly #client: pg.Client
  /** Names of prepared statements, the one that was used longest ago first. */
  readonly #prepared = new Set<string>()
  #isOpen = true
  /** Statements under way, as far as the pool has sent them. */
  load = 0
  /** Whether somebody has it for oneself. */
  isTaken = false

  /** `onLost` is told once, when the server or the way to it is gone. The client must be one that pipelines. */
  constructor(client: pg.Client, onLost: (lost: PooledConnection) => void) {
    this.#client = client
    const lose = () => {
      if (!this.#isOpen) return
      this.#isOpen = false
      onLost(this)
    }
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', lose)
    client.on('end', lose)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Sends a statement at once, without waiting for those before it. */
  run<Input>({ name, text, bind }: Statement<Input>, input: Input): Promise<readonly Row[]> {
    this.#keep(name)
    return this.#send({ name, text, values: bind(input) })
  }

  /** Sends SQL that is not worth preparing. */
  execute(text: string): Promise<readonly Row[]> {
    return this.#send({ text })
  }

  /** Ends when all that is under way has been answered. */
  async close(): Promise<void> {
    this.#isOpen = false
    await this.#client.end()
  }

  #send(query: {
    readonly name?: string
    readonly text: string
    readonly values?: unknown[]
  }): Promise<readonly Row[]> {
    if (!this.#isOpen) return Promise.reject(new Unsent('The connection is closed.'))
    return new Promise((resolve, reject) => {
      const config = { ...query, rowMode: 'array' as const, types }
      this.#client.query<(string | null)[]>(config, (error: Error | null, result) =>
        error ? reject(error) : resolve(result.rows),
      )
    })
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
