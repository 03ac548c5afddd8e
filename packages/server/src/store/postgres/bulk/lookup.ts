/** What a database has that the rows of a batch are about, asked for all of them at once. */
import { type AnyNoun, targetOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { BulkRow } from '../../bulk/bulk.ts'
import { isIdentified } from '../../bulk/decision.ts'
import { fieldOf, type NounSchema, uniqueSets } from '../../migrate/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { typeOf } from '../migrate/table.ts'
import { identifier } from '../name.ts'
import { columnValues, recordset, recordsetText } from './recordset.ts'

/** What was found for one row. */
export interface Found {
  /** Whether the record of its identity is there. */
  readonly isThere: boolean
  /** For each unique set, the identity of the record that has the row's values in it. */
  readonly holders: readonly (Value | undefined)[]
  /** The references of the row to records that are not there. */
  readonly missing: readonly { readonly field: string; readonly value: Value }[]
}

export class Look {
  readonly #stored: StoredNoun
  readonly #noun: AnyNoun
  readonly #sets: readonly (readonly string[])[]
  readonly #references: readonly string[]
  readonly #text: string

  constructor(stored: StoredNoun, schema: NounSchema) {
    const { noun } = stored
    this.#stored = stored
    this.#noun = noun
    this.#sets = uniqueSets(noun)
    this.#references = Object.keys(noun.fields).filter((field) => noun.fields[field].spec.kind === 'reference')
    const fields = new Set([noun.identity, ...this.#sets.flat(), ...this.#references])
    const columns = [...fields].map((field) => {
      const name = columnName(noun, field)
      return { name, type: typeOf(fieldOf(schema, name)) }
    })
    const own = identifier(columnName(noun, noun.identity))
    const expressions = [
      `exists (${this.#select(noun, `t.${own} = one.${own}`)})`,
      ...this.#sets.map(
        (set) => `(${this.#select(noun, set.map((field) => isSame(schema, columnName(noun, field))).join(' and '))})`,
      ),
      ...this.#references.map((field) => {
        const target = targetOf(noun, field)
        const held = `one.${identifier(columnName(noun, field))}`
        const isTarget = `t.${identifier(columnName(target, target.identity))} = ${held}`
        return `${held} is null or exists (${this.#select(target, isTarget)})`
      }),
    ]
    const rows = recordset([{ name: '_at', type: 'integer' }, ...columns])
    this.#text = `select ${expressions.join(', ')} from ${rows} order by "_at"`
  }

  async at(client: ClientBase, rows: readonly BulkRow[]): Promise<readonly Found[]> {
    const values = [recordsetText(rows.map((row, at) => ({ _at: at, ...this.#asked(row) })))]
    const { rows: found } = await client.query({ text: this.#text, values, rowMode: 'array' })
    return found.map((columns, at) => this.#found(columns, rows[at] as BulkRow))
  }

  #select(noun: AnyNoun, condition: string): string {
    return `select t.${identifier(columnName(noun, noun.identity))}
from ${identifier(tableName(noun))} as t
where ${condition}`
  }

  #asked(row: BulkRow): Values {
    const fields = [...this.#sets.flat(), ...this.#references]
    if (isIdentified(this.#noun, row)) fields.push(this.#noun.identity)
    const asked = Object.fromEntries(fields.map((field) => [field, row.values[field] ?? null]))
    return columnValues({ ...this.#stored, searched: new Set() }, asked)
  }

  #found([isThere, ...columns]: readonly unknown[], { values }: BulkRow): Found {
    const holders = columns.slice(0, this.#sets.length).map((key) => identityOf(this.#noun, key))
    const missing = this.#references
      .filter((_, at) => columns[this.#sets.length + at] !== true)
      .map((field) => ({ field, value: values[field] ?? null }))
    return { isThere: isThere === true, holders, missing }
  }
}

function isSame(schema: NounSchema, column: string): string {
  const [there, given] = [`t.${identifier(column)}`, `one.${identifier(column)}`]
  // Others may keep it in a type of its own.
  const isTyped = ['choice', 'guid'].includes(fieldOf(schema, column).kind)
  return fieldOf(schema, column).kind === 'email'
    ? `lower(${there}) = lower(${given} collate "C")`
    : `${there}${isTyped ? '::text' : ''} = ${given}`
}

/** The driver gives a number as text, not knowing how large it is. */
export function identityOf(noun: AnyNoun, key: unknown): Value | undefined {
  if (key === null || key === undefined) return undefined
  return noun.fields[noun.identity].spec.guid ? `${key}` : Number(key)
}
