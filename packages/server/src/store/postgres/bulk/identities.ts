/** Integer identities of a noun: the next ones of the sequence, and those in a file. */
import type { AnyNoun, Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { Values } from '../../plan.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { identifier, postgresName } from '../name.ts'

export class Identities {
  readonly #client: ClientBase
  readonly #noun: AnyNoun
  #sequence: string | null | undefined
  /** A lower bound of the sequence. */
  #floor = 0

  constructor(client: ClientBase, noun: AnyNoun) {
    this.#client = client
    this.#noun = noun
  }

  /** Assigns an identity to each row without one. Later identities are above all of these. */
  async assign(rows: readonly Values[]): Promise<readonly Values[]> {
    const { identity, fields } = this.#noun
    if (fields[identity].spec.guid) return rows
    const highest = rows.reduce((highestYet, row) => Math.max(highestYet, Number(row[identity] ?? 0)), 0)
    if (highest > this.#floor) await this.#raise(highest)
    const next = await this.#next(rows.filter((row) => row[identity] === undefined).length)
    return rows.map((row) => (row[identity] === undefined ? { ...row, [identity]: next.shift() as Value } : row))
  }

  async #raise(highest: number): Promise<void> {
    const isBelow = 'coalesce(pg_sequence_last_value($1::regclass), 0) < $2'
    await this.#client.query(`select setval($1::regclass, $2) where ${isBelow}`, [await this.#name(), highest])
    this.#floor = highest
  }

  async #next(count: number): Promise<number[]> {
    if (count === 0) return []
    const name = await this.#name()
    if (name === null) throw new Error(`The ID of "${this.#noun.name}" has no sequence: give each row an ID.`)
    const query = 'select nextval($1::regclass) as next from generate_series(1, $2)'
    const { rows } = await this.#client.query(query, [name, count])
    return rows.map(({ next }) => Number(next))
  }

  /** The sequence; null if another program assigns the identities. */
  async #name(): Promise<string | null> {
    if (this.#sequence !== undefined) return this.#sequence
    const names = [identifier(tableName(this.#noun)), postgresName(columnName(this.#noun, this.#noun.identity))]
    const { rows } = await this.#client.query('select pg_get_serial_sequence($1, $2) as name', names)
    this.#sequence = rows[0].name as string | null
    return this.#sequence
  }
}
