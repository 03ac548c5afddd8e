/** The numbers that records of a noun are told apart by: the next ones, and those that a file gives. */
import type { AnyNoun, Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { Values } from '../../plan.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { identifier, postgresName } from '../name.ts'

export class Identities {
  readonly #client: ClientBase
  readonly #noun: AnyNoun
  #sequence: string | null | undefined
  /** What the next identity is known to be above. */
  #raised = 0

  constructor(client: ClientBase, noun: AnyNoun) {
    this.#client = client
    this.#noun = noun
  }

  /** Gives an identity to each of the rows that has none. Whatever is given to others from now on lies above all of them. */
  async give(rows: readonly Values[]): Promise<readonly Values[]> {
    const { identity, fields } = this.#noun
    if (fields[identity].spec.guid) return rows
    const highest = rows.reduce((most, row) => Math.max(most, Number(row[identity] ?? 0)), 0)
    if (highest > this.#raised) await this.#raise(highest)
    const next = await this.#next(rows.filter((row) => row[identity] === undefined).length)
    return rows.map((row) => (row[identity] === undefined ? { ...row, [identity]: next.shift() as Value } : row))
  }

  async #raise(highest: number): Promise<void> {
    const isBelow = 'coalesce(pg_sequence_last_value($1::regclass), 0) < $2'
    await this.#client.query(`select setval($1::regclass, $2) where ${isBelow}`, [await this.#name(), highest])
    this.#raised = highest
  }

  async #next(count: number): Promise<number[]> {
    if (count === 0) return []
    const name = await this.#name()
    if (name === null)
      throw new Error(`Nothing counts up the identities of "${this.#noun.name}": give each row its own.`)
    const text = 'select nextval($1::regclass) as next from generate_series(1, $2)'
    const { rows } = await this.#client.query(text, [name, count])
    return rows.map(({ next }) => Number(next))
  }

  /** The sequence; null where another program gives the identities. */
  async #name(): Promise<string | null> {
    if (this.#sequence !== undefined) return this.#sequence
    const names = [identifier(tableName(this.#noun)), postgresName(columnName(this.#noun, this.#noun.identity))]
    const { rows } = await this.#client.query('select pg_get_serial_sequence($1, $2) as name', names)
    this.#sequence = rows[0].name as string | null
    return this.#sequence
  }
}
