/** Statements of several plans in one transaction: each plan is still all or nothing by itself, and sees those before. */

import type { Reads, Run, Writes } from './connect/database.ts'
import type { PooledConnection } from './connect/pooled-connection.ts'

export class PlanTransaction implements Reads, Writes {
  readonly #connection: PooledConnection
  #isOver = false

  constructor(connection: PooledConnection) {
    this.#connection = connection
  }

  /** From now on nothing is sent: what comes after the end of a transaction would be done for itself, or in that of another. */
  close(): void {
    this.#isOver = true
  }

  readonly run: Run = async (statement, input) => {
    this.#check()
    return this.#connection.run(statement, input)
  }

  readonly read = this.run
  readonly readShort = this.run
  readonly writeShort: Run = (statement, input) => this.transaction(() => this.run(statement, input))

  /** What is refused is undone to here, so that the server goes on with the rest. */
  async transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    try {
      // The first statement follows without waiting.
      const [, result] = await Promise.all([this.#execute('savepoint one'), work(this.run)])
      await this.#execute('release one')
      return result
    } catch (error) {
      if (this.#connection.isOpen) await this.#execute('rollback to one; release one').catch(() => {})
      throw error
    }
  }

  async #execute(text: string): Promise<void> {
    this.#check()
    await this.#connection.execute(text)
  }

  #check(): void {
    if (this.#isOver) throw new Error('The transaction is over.')
  }
}
