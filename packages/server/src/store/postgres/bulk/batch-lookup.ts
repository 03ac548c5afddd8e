/** Looks up existing records for all rows of a batch in one query. */
import { type AnyNoun, targetOf, tenantField, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { BulkRow } from '../../bulk/bulk.ts'
import { isIdentified, type TenantTarget, tenantReferences } from '../../bulk/decision.ts'
import { uniqueSets } from '../../migrate/schema/model-schema.ts'
import { fieldOf, type NounSchema } from '../../migrate/schema/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { MissingTarget } from '../../outcome.ts'
import type { Values } from '../../plan.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { typeOf } from '../migrate/sql/table.ts'
import { identifier } from '../name.ts'
import { columnValues, recordset, recordsetJson } from './recordset.ts'

/** The result of the lookup for one row. */
export interface LookupResult {
  /** Whether a record with its identity exists. */
  readonly isExisting: boolean
  /** For each unique set, the identity of the record that has the row's values in it. */
  readonly uniqueMatches: readonly (Value | undefined)[]
  /** The references of the row to missing records. */
  readonly missing: readonly MissingTarget[]
  /** The other references of the row to records of tenants. */
  readonly targets: readonly TenantTarget[]
}

export class BatchLookup {
  readonly #stored: StoredNoun
  readonly #noun: AnyNoun
  readonly #sets: readonly (readonly string[])[]
  readonly #references: readonly string[]
  /** References to records of tenants. */
  readonly #tenantFields: ReadonlySet<string>
  readonly #statement: string

  constructor(stored: StoredNoun, schema: NounSchema) {
    const { noun } = stored
    this.#stored = stored
    this.#noun = noun
    this.#sets = uniqueSets(noun)
    this.#references = Object.keys(noun.fields).filter((field) => noun.fields[field].spec.kind === 'reference')
    this.#tenantFields = new Set(tenantReferences(noun))
    const fields = new Set([noun.identity, ...this.#sets.flat(), ...this.#references])
    const columns = [...fields].map((field) => {
      const name = columnName(noun, field)
      return { name, type: typeOf(fieldOf(schema, name)) }
    })
    const key = identifier(columnName(noun, noun.identity))
    const expressions = [
      `exists (${this.#select(noun, `t.${key} = item.${key}`)})`,
      ...this.#sets.map(
        (set) => `(${this.#select(noun, set.map((field) => isSame(schema, columnName(noun, field))).join(' and '))})`,
      ),
      ...this.#references.map((field) => {
        const target = targetOf(noun, field)
        const reference = `item.${identifier(columnName(noun, field))}`
        const isTarget = `t.${identifier(columnName(target, target.identity))} = ${reference}`
        // An array, because the tenant may be null.
        if (this.#tenantFields.has(field)) return `(${this.#select(target, isTarget, tenantArray)})`
        return `${reference} is null or exists (${this.#select(target, isTarget)})`
      }),
    ]
    const rows = recordset([{ name: '_at', type: 'integer' }, ...columns])
    this.#statement = `select ${expressions.join(', ')} from ${rows} order by "_at"`
  }

  async find(client: ClientBase, rows: readonly BulkRow[]): Promise<readonly LookupResult[]> {
    const values = [recordsetJson(rows.map((row, index) => ({ _at: index, ...this.#keyValues(row) })))]
    const { rows: results } = await client.query({ text: this.#statement, values, rowMode: 'array' })
    return results.map((columns, index) => this.#result(columns, rows[index] as BulkRow))
  }

  #select(noun: AnyNoun, condition: string, selected = identityColumn): string {
    return `select ${selected(noun)}
from ${identifier(tableName(noun))} as t
where ${condition}`
  }

  #keyValues(row: BulkRow): Values {
    const fields = [...this.#sets.flat(), ...this.#references]
    if (isIdentified(this.#noun, row)) fields.push(this.#noun.identity)
    const values = Object.fromEntries(fields.map((field) => [field, row.values[field] ?? null]))
    return columnValues({ ...this.#stored, derived: new Map() }, values)
  }

  #result([isExisting, ...columns]: readonly unknown[], { values }: BulkRow): LookupResult {
    const uniqueMatches = columns.slice(0, this.#sets.length).map((key) => identityOf(this.#noun, key))
    const missing: MissingTarget[] = []
    const targets: TenantTarget[] = []
    for (const [index, field] of this.#references.entries()) {
      const match = columns[this.#sets.length + index]
      const value = values[field] ?? null
      if (Array.isArray(match)) targets.push({ field, value, tenant: match[0] })
      else if (match !== true && value !== null) missing.push({ field, value })
    }
    return { isExisting: isExisting === true, uniqueMatches, missing, targets }
  }
}

function identityColumn(noun: AnyNoun): string {
  return `t.${identifier(columnName(noun, noun.identity))}`
}

function tenantArray(noun: AnyNoun): string {
  return `array[t.${identifier(columnName(noun, tenantField(noun) as string))}::text]`
}

function isSame(schema: NounSchema, column: string): string {
  const [stored, loaded] = [`t.${identifier(column)}`, `item.${identifier(column)}`]
  // An adopted column may have its own type.
  const isTyped = ['choice', 'guid'].includes(fieldOf(schema, column).kind)
  return fieldOf(schema, column).kind === 'email'
    ? `lower(${stored}) = lower(${loaded} collate "C")`
    : `${stored}${isTyped ? '::text' : ''} = ${loaded}`
}

/** The driver returns a bigint as a string. */
export function identityOf(noun: AnyNoun, key: unknown): Value | undefined {
  if (key === null || key === undefined) return undefined
  return noun.fields[noun.identity].spec.guid ? `${key}` : Number(key)
}
