/** Statements of several plans in one transaction: each plan is still all or nothing by itself, and sees those before. */
import type { PooledConnection, Row } from './pooled-connection.ts'
import type { Statements } from './postgres-database.ts'
import type { Statement } from './statement.ts'

export class PostgresTransaction implements Statements {
  readonly #connection: PooledConnection

  constructor(connection: PooledConnection) {
    this.#connection = connection
  }

  read<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    return this.#connection.run(statement, input)
  }

  readShort<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    return this.#connection.run(statement, input)
  }

  writeShort<Input>(statement: Statement<Input>, input: Input): Promise<readonly Row[]> {
    return this.transaction((connection) => connection.run(statement, input))
  }

  /** What is refused is undone to here, so that the server goes on with the rest. */
  async transaction<Result>(work: (connection: Pick<PooledConnection, 'run'>) => Promise<Result>): Promise<Result> {
    const connection = this.#connection
    try {
      // The first statement follows without waiting.
      const [, result] = await Promise.all([connection.execute('savepoint one'), work(connection)])
      await connection.execute('release one')
      return result
    } catch (error) {
      if (connection.isOpen) await connection.execute('rollback to one; release one').catch(() => {})
      throw error
    }
  }
}
