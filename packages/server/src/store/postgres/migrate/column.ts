/** Where each column of a changed table takes its values from, for the records that are there. */

import { fold } from '../../fold.ts'
import { keptFieldNames } from '../../migrate/field-renames.ts'
import { type FieldSource, fieldSources } from '../../migrate/field-source.ts'
import type { NounSchema } from '../../migrate/schema.ts'
import { textLiteral } from '../../sql/sql.ts'
import { identifier } from '../name.ts'
import { carried, defaultLiteral } from './expression.ts'
import { type Column, columnsOf } from './table.ts'

/** A column of the changed table. */
export interface ColumnChange {
  readonly column: Column
  /** The column as it was, where its values are kept. */
  readonly origin?: Column
  /** Those values in their new form. */
  readonly conversion?: string
  /** What a new column is filled with for the records that are there. */
  readonly fill?: { readonly kind: 'literal' | 'expression'; readonly sql: string } | { readonly kind: 'fold' }
}

/** Every column of the table as it will be. */
export function columnChanges(before: NounSchema, after: NounSchema): readonly ColumnChange[] {
  const sources = fieldSources(before, after)
  const nowOf = new Map([...keptFieldNames(before, after)].map(([to, from]) => [from, to]))
  const old = new Map(columnsOf(before).map((column) => [column.name, column]))
  const withOrigin = (column: Column, name: string): ColumnChange => {
    const origin = old.get(name)
    return origin ? { column, origin } : { column }
  }
  return columnsOf(after).map((column) => {
    if (column.name === '_version') return withOrigin(column, column.name)
    const source = sources.get(column.name)
    if (!source) return foldedColumn(column, before, sources.get(column.name.replace(/_folded$/, '')), withOrigin)
    if (source.kind === 'nothing') return { column }
    if (source.kind === 'default') return { column, fill: { kind: 'literal', sql: defaultLiteral(source.of) } }
    const { path } = source
    // Columns bear their new names when values are converted.
    const held = identifier(nowOf.get(path[0].name) ?? '')
    const sql = carried(path, held)
    if (path.length > 2) return { column, fill: { kind: 'expression', sql } }
    return { ...withOrigin(column, path[0].name), ...(sql !== held && { conversion: sql }) }
  })
}

/** The folded text is kept where the text is. */
function foldedColumn(
  column: Column,
  before: NounSchema,
  source: FieldSource | undefined,
  withOrigin: (column: Column, name: string) => ColumnChange,
): ColumnChange {
  if (!source || source.kind === 'nothing') return { column }
  if (source.kind === 'default') {
    return { column, fill: { kind: 'literal', sql: textLiteral(fold(`${source.of.default}`)) } }
  }
  const [{ name }] = source.path
  const isKept = source.path.length === 2 && before.searched.includes(name) && carried(source.path, name) === name
  return isKept ? withOrigin(column, `${name}_folded`) : { column, fill: { kind: 'fold' } }
}
