/** The statements of several plans in one transaction. Each plan is atomic, and sees the plans before it. */

import type { Reads, Run, Writes } from './connect/database.ts'
import type { PooledConnection } from './connect/pooled-connection.ts'

export class PlanTransaction implements Reads, Writes {
  readonly #connection: PooledConnection
  #isClosed = false

  constructor(connection: PooledConnection) {
    this.#connection = connection
  }

  /** Sends nothing from now on: later statements would run outside the transaction, or in another one. */
  close(): void {
    this.#isClosed = true
  }

  readonly run: Run = async (statement, input) => {
    this.#check()
    return this.#connection.run(statement, input)
  }

  readonly read = this.run
  readonly readShort = this.run
  readonly writeShort: Run = (statement, input) => this.transaction(() => this.run(statement, input))

  /** Rolls a rejected plan back to a savepoint, so that the transaction can continue. */
  async transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    try {
      // The first statement is sent without waiting for the savepoint.
      const [, result] = await Promise.all([this.#execute('savepoint before_plan'), work(this.run)])
      await this.#execute('release before_plan')
      return result
    } catch (error) {
      if (this.#connection.isOpen) await this.#execute('rollback to before_plan; release before_plan').catch(() => {})
      throw error
    }
  }

  async #execute(text: string): Promise<void> {
    this.#check()
    await this.#connection.execute(text)
  }

  #check(): void {
    if (this.#isClosed) throw new Error('The transaction has ended.')
  }
}
