/** The source of each column's values for existing records when a table changes. */

import { previousFieldNames } from '../../../migrate/change/field-renames.ts'
import { type FieldSource, fieldSources } from '../../../migrate/field-source.ts'
import { type NounSchema, oldDerivedColumn } from '../../../migrate/schema/schema.ts'
import { stringLiteral } from '../../../sql/sql.ts'
import { type Derivation, deriveString } from '../../../text/derived-column.ts'
import { identifier } from '../../name.ts'
import { convertByPath } from './expression.ts'
import { type Column, columnsOf, defaultLiteral } from './table.ts'

/** A column of the changed table. */
export interface ColumnChange {
  readonly column: Column
  /** The old column, if its values are kept. */
  readonly origin?: Column
  /** An expression with those values in their new form. */
  readonly conversion?: string
  /** The content of a new column for existing records. */
  readonly fill?: { readonly kind: 'literal' | 'expression'; readonly sql: string } | { readonly kind: 'derive' }
}

/** Every column of the new table. */
export function columnChanges(before: NounSchema, after: NounSchema): readonly ColumnChange[] {
  const sources = fieldSources(before, after)
  const newNames = new Map([...previousFieldNames(before, after)].map(([to, from]) => [from, to]))
  const old = new Map(columnsOf(before).map((column) => [column.name, column]))
  const withOrigin = (column: Column, name: string): ColumnChange => {
    const origin = old.get(name)
    return origin ? { column, origin } : { column }
  }
  return columnsOf(after).map((column) => {
    if (column.name === '_version') return withOrigin(column, column.name)
    const { derived } = column
    const source = sources.get(derived?.from ?? column.name)
    if (!source || source.kind === 'nothing') return { column }
    if (derived) return derivedColumn(column, derived.derivation, before, source, withOrigin)
    if (source.kind === 'default') return { column, fill: { kind: 'literal', sql: defaultLiteral(source.field) } }
    const { path } = source
    // Columns already have their new names when values are converted.
    const columnName = identifier(newNames.get(path[0].name) ?? '')
    const sql = convertByPath(path, columnName)
    if (path.length > 2) return { column, fill: { kind: 'expression', sql } }
    return { ...withOrigin(column, path[0].name), ...(sql !== columnName && { conversion: sql }) }
  })
}

/** A derived column is kept if its source column and its derivation are. */
function derivedColumn(
  column: Column,
  derivation: Derivation,
  before: NounSchema,
  source: Exclude<FieldSource, { kind: 'nothing' }>,
  withOrigin: (column: Column, name: string) => ColumnChange,
): ColumnChange {
  if (source.kind === 'default') {
    const text = deriveString(derivation, `${source.field.default}`)
    return { column, fill: { kind: 'literal', sql: stringLiteral(text) } }
  }
  const [{ name }] = source.path
  const isUnconverted = source.path.length === 2 && convertByPath(source.path, name) === name
  const old = isUnconverted ? oldDerivedColumn(before, name, derivation) : undefined
  return old === undefined ? { column, fill: { kind: 'derive' } } : withOrigin(column, old)
}
