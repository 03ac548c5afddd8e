/** The source of each column of a changed table: an expression over the old table. */

import { type FieldSource, fieldSources } from '../../migrate/field-source.ts'
import { type NounSchema, oldDerivedColumn } from '../../migrate/schema/schema.ts'
import { quotedName, stringLiteral } from '../../sql/sql.ts'
import { type Derivation, deriveString } from '../../text/derived-column.ts'
import { convertByPath, defaultLiteral } from './expression.ts'
import { type Column, columnsOf } from './table.ts'

interface Source {
  /** Over the columns of the old table. */
  readonly expression: string
  /** The old column, if it is kept apart from its name and constraints. */
  readonly origin?: string
  /** Whether the expression is a literal. */
  readonly isLiteral?: true
}

export type ColumnSource = Column & Source

const nullSource: Source = { expression: 'NULL', isLiteral: true }

/** The source of every column of the new table. */
export function columnSources(before: NounSchema, after: NounSchema): readonly ColumnSource[] {
  const sources = fieldSources(before, after)
  return columnsOf(after).map((column) => {
    if (column.name === '_version') return { ...column, expression: quotedName('_version'), origin: '_version' }
    const { derived } = column
    const source = sources.get(derived?.from ?? column.name) ?? { kind: 'nothing' }
    return { ...column, ...(derived ? derivedSource(derived.derivation, source, before) : sourceOf(source)) }
  })
}

function sourceOf(source: FieldSource): Source {
  if (source.kind === 'nothing') return nullSource
  if (source.kind === 'default') return { expression: defaultLiteral(source.field), isLiteral: true }
  const { name } = source.path[0]
  const expression = convertByPath(source.path, quotedName(name))
  const isUnconverted = source.path.length === 2 && expression === quotedName(name)
  return { expression, ...(isUnconverted && { origin: name }) }
}

/** A derived column is kept if its source column and its derivation are. */
function derivedSource(derivation: Derivation, source: FieldSource, before: NounSchema): Source {
  if (source.kind === 'default')
    return { expression: stringLiteral(deriveString(derivation, `${source.field.default}`)), isLiteral: true }
  const { expression, origin, isLiteral } = sourceOf(source)
  if (isLiteral) return nullSource
  const old = origin === undefined ? undefined : oldDerivedColumn(before, origin, derivation)
  if (old === undefined) return { expression: derivedExpression(derivation, expression) }
  return { expression: quotedName(old), origin: old }
}

/** A call of the function that the connection of a migration has. */
function derivedExpression(derivation: Derivation, expression: string): string {
  if (derivation.kind !== 'sort-key') return `${derivation.kind.replace('-', '_')}(${expression})`
  return `sort_key(${expression}, ${stringLiteral(derivation.collation)})`
}
